import { describe, expect, it } from "vitest";
import { generatedFault, generatedFlags, generatedPrograms } from "../testing/generatedPrograms.ts";
import { runProgram } from "../testing/runProgram.ts";

describe("many runs in one process", () => {
  it("leave it healthy: 300 generated ones, each with a true log, with flat memory", async () => {
    let [rssBefore, n] = [0, 0];
    for (const program of generatedPrograms(300)) {
      const run = await runProgram(program.source, { flags: generatedFlags });
      expect([n, program.source, generatedFault(program, run)]).toEqual([n, program.source, null]);
      if (n++ === 100) rssBefore = process.memoryUsage().rss;
    }
    const grownMb = (process.memoryUsage().rss - rssBefore) / 1024 / 1024;
    expect(grownMb).toBeLessThan(64);
    const active = process.getActiveResourcesInfo().filter((kind) => /Worker|MessagePort/.test(kind));
    expect(active.length).toBeLessThan(5);
  }, 1_200_000);
});
