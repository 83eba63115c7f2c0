import { describe, expect, it } from "vitest";
import { type KnownImage, planImageGc } from "./planImageGc.ts";

const dayMs = 86_400_000;
const nowMs = 100 * dayMs;
const image = (id: string, usedDaysAgo: number, more: Partial<KnownImage> = {}): KnownImage => ({
  id,
  names: [id],
  usedAt: nowMs - usedDaysAgo * dayMs,
  pullable: true,
  named: false,
  inUse: false,
  ...more,
});
const policy = { maxAgeMs: null, highPercent: 85, lowPercent: 75 };
const planned = (
  images: readonly KnownImage[],
  of: Partial<Parameters<typeof planImageGc>[1]> = {},
): readonly string[] =>
  planImageGc(images, { nowMs, usedPercent: 90, policy, ...of }).map(
    ({ image: { id }, why }) => `${id} ${why}`,
  );

describe("the images that make room", () => {
  const three = [image("b", 2), image("c", 1), image("a", 3)];

  it("given a disk at its high mark, then go from the least recently used on", () => {
    expect(planned(three, { usedPercent: 85 })).toEqual(["a disk", "b disk", "c disk"]);
  });

  it("given a disk below it, one that cannot be looked at, or no mark, then none goes", () => {
    expect(planned(three, { usedPercent: 84.9 })).toEqual([]);
    expect(planned(three, { usedPercent: null })).toEqual([]);
    expect(planned(three, { policy: { ...policy, highPercent: null } })).toEqual([]);
  });

  it.each([
    ["that this node did not pull", { usedAt: null }],
    ["that no registry has", { pullable: false }],
    ["that somebody else named as well", { named: true }],
    ["that a container is of", { inUse: true }],
  ])("given an image %s, then it stays however full the disk and old the image", (_what, more) => {
    const asked = { usedPercent: 100, policy: { ...policy, maxAgeMs: dayMs } };
    expect(planned([image("a", 99, more)], asked)).toEqual([]);
  });

  it("given an age, then what nobody asked for since goes on any disk, and the rest by room", () => {
    const byAge = { ...policy, maxAgeMs: 2 * dayMs };
    expect(planned(three, { usedPercent: 10, policy: byAge })).toEqual(["a age"]);
    expect(planned(three, { usedPercent: 90, policy: byAge })).toEqual(["a age", "b disk", "c disk"]);
  });
});
