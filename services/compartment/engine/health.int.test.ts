import { describe, expect, it } from "vitest";
import { generatedEnds, generatedFlags, generatedPrograms } from "../testing/generatedPrograms.ts";
import { runProgram } from "../testing/runProgram.ts";

describe("many runs in one process", () => {
  it("leave it healthy: 300 generated ones, with flat memory", async () => {
    let [rssBefore, n] = [0, 0];
    const ends = new Set<string | null>();
    for (const source of generatedPrograms(300)) {
      ends.add((await runProgram(source, { flags: generatedFlags })).reason);
      if (n++ === 100) rssBefore = process.memoryUsage().rss;
    }
    expect(ends).toEqual(new Set(generatedEnds));
    const grownMb = (process.memoryUsage().rss - rssBefore) / 1024 / 1024;
    expect(grownMb).toBeLessThan(64);
    const active = process.getActiveResourcesInfo().filter((kind) => /Worker|MessagePort/.test(kind));
    expect(active.length).toBeLessThan(5);
  }, 400_000);
});
