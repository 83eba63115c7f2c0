import { expect, it } from "vitest";
import { disconnectLimitMs } from "./disconnectLimit.ts";

it("begins to stop containers early enough that they are gone before they count as lost", () => {
  const times = { beatMs: 5_000, nodeOfflineMs: 30_000, nodeLostGraceMs: 60_000, stopGraceMs: 10_000 };
  const limit = disconnectLimitMs(times);
  expect(limit).toBe(75_000);
  expect(limit + times.stopGraceMs).toBeLessThan(times.nodeOfflineMs + times.nodeLostGraceMs);
});

it("does not take one missed beat for a disconnect, however short the times", () => {
  expect(
    disconnectLimitMs({ beatMs: 1_000, nodeOfflineMs: 1_000, nodeLostGraceMs: 1_000, stopGraceMs: 500 }),
  ).toBe(2_000);
});
