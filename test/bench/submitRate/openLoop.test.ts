import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { openLoop } from "./openLoop.ts";

it("starts work at its time although earlier work is not done", async () => {
  const releases: (() => void)[] = [];
  const done = openLoop(() => new Promise<void>((resolve) => releases.push(resolve)), {
    perSecond: 500,
    count: 5,
  });
  while (releases.length < 5) await pause(1);
  for (const release of releases) release();
  expect(await done).toHaveLength(5);
});

it("counts a stall of the caller for all that became due in it", async () => {
  const stallMs = 60;
  let calls = 0;
  const times = await openLoop(
    async () => {
      if (++calls > 1) return;
      const until = performance.now() + stallMs;
      while (performance.now() < until);
    },
    { perSecond: 100, count: 5 },
  );
  // Due at 10, 20 … ms, and none of them could be sent before the stall was over.
  for (const [i, ms] of times.slice(1).entries())
    expect(ms).toBeGreaterThanOrEqual(stallMs - (i + 1) * 10 - 1);
});
