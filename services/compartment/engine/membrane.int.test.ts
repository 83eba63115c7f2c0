/** Any JSON across the membrane: what the tool saw is what the log says, byte for byte, and the host is untouched. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sha256 } from "../membrane/sha256.ts";
import { anyJson } from "../testing/anyJson.ts";
import { runProgram } from "../testing/runProgram.ts";

const SEED = 20_260_117;
const VALUES = 300;

describe("any JSON", () => {
  it("comes back whole where it is longer than what a thread and its parent share", async () => {
    const source = `for (const size of [65_000, 65_535, 65_536, 70_000, 10]) {
      const text = "\u65e5".repeat(size);
      emit({ same: callTool("echo", { text }).text === text });
    }`;
    const flags = ["--tool=echo", "--max-tool-arg-bytes=300000", "--max-tool-result-bytes=300000"];
    const { events } = await runProgram(source, { flags });
    expect(events).toEqual(Array.from({ length: 5 }, () => ({ same: true })));
  });

  it("comes back from a tool as it went, and stands so in the log", async () => {
    const values = fc.sample(anyJson, { seed: SEED, numRuns: VALUES });
    const hostKeys = Reflect.ownKeys(Object.prototype).length;
    // JSON.parse keeps `__proto__` as a member, in the engine as here.
    const source = `const values = JSON.parse(${JSON.stringify(JSON.stringify(values))});
      let same = 0;
      for (const v of values) {
        const args = { v };
        const back = callTool("echo", args);
        if (JSON.stringify(back) === JSON.stringify(args)) same++;
      }
      emit({ same });`;
    const run = await runProgram(source, { flags: ["--tool=echo"] });
    expect(run.events).toEqual([{ same: VALUES }]);
    const calls = run.of("tool_call");
    expect(calls).toHaveLength(VALUES);
    for (const [index, call] of calls.entries()) {
      const text = JSON.stringify({ v: values[index] });
      expect([index, JSON.stringify(call.args)]).toEqual([index, text]);
      expect(call).toMatchObject({ arg_bytes: Buffer.byteLength(text), args_sha256: sha256(text) });
    }
    expect(Reflect.ownKeys(Object.prototype).length).toBe(hostKeys);
  });
});
