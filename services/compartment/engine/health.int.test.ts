import { describe, expect, it } from "vitest";
import { runProgram } from "../testing/runProgram.ts";

/** Generated programs of every kind of end, by a seeded choice. */
const kinds = [
  (n: number) => `emit({ n: ${n} }); callTool("echo", { n: ${n} });`,
  (n: number) => `throw new Error("e${n}")`,
  () => "for (;;);",
  () => "const a = []; for (;;) a.push(new Array(1000).fill(1));",
  () => "const f = () => Promise.resolve().then(f); f();",
  () => "const f = () => f(); f();",
  (n: number) => `await new Promise(() => {}); ${n}`,
  () => "1 +",
  () => `await callTool("slow", { delay_ms: 1 }); close(); emit({});`,
  () => "globalThis.x = new ArrayBuffer(1 << 30)",
];

describe("many runs in one process", () => {
  it("leave it healthy: 300 generated ones, with flat memory", async () => {
    let [rssBefore, state] = [0, 12345];
    const ends = new Set<string | null>();
    for (let n = 0; n < 300; n++) {
      state = (Math.imul(state, 1103515245) + 12345) >>> 0;
      const source = kinds[(state >>> 16) % kinds.length]!(n);
      const flags = [
        "--tool=echo",
        "--tool=slow",
        "--max-steps=50000",
        "--max-microtasks=200",
        "--max-heap-mb=32",
      ];
      ends.add((await runProgram(source, { flags })).reason);
      if (n === 100) rssBefore = process.memoryUsage().rss;
    }
    expect(ends).toEqual(
      new Set([
        "exception",
        "memory_heap_exceeded",
        "microtask_budget_exceeded",
        "step_budget_exceeded",
        null,
      ]),
    );
    const grownMb = (process.memoryUsage().rss - rssBefore) / 1024 / 1024;
    expect(grownMb).toBeLessThan(64);
    const active = process.getActiveResourcesInfo().filter((kind) => /Worker|MessagePort/.test(kind));
    expect(active.length).toBeLessThan(5);
  }, 400_000);
});
