import { describe, expect, it } from "vitest";
import { pipeline } from "./pipeline.ts";

function jobs(outcomes: readonly boolean[]) {
  const started: number[] = [];
  let open = 0;
  let openMax = 0;
  const start = async (index: number) => {
    started.push(index);
    openMax = Math.max(openMax, ++open);
    await new Promise((resolve) => setImmediate(resolve));
    open--;
    return outcomes[index]!;
  };
  return { start, started, openMax: () => openMax };
}

describe("a pipeline", () => {
  it("starts all in order, never more than its width at once", async () => {
    const { start, started, openMax } = jobs(Array(50).fill(true));
    expect(await pipeline(50, 8, start)).toBe(true);
    expect(started).toEqual(Array.from({ length: 50 }, (_, index) => index));
    expect(openMax()).toBe(8);
  });

  it("starts nothing after a failure, and ends when nothing is on its way", async () => {
    const { start, started } = jobs([true, true, false, true, true, true, true, true, true, true]);
    expect(await pipeline(10, 4, start)).toBe(false);
    expect(started.length).toBeLessThan(10);
  });

  it("is done at once with nothing to do, and takes a rejection for a failure", async () => {
    expect(await pipeline(0, 4, async () => true)).toBe(true);
    expect(await pipeline(2, 4, () => Promise.reject(new Error("gone")))).toBe(false);
  });
});
