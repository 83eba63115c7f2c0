import { describe, expect, it } from "vitest";
import { bulkRandom } from "./bulkRandom.ts";

describe("random bytes in bulk", () => {
  it("are as many as asked for, from few draws, and none is given twice", () => {
    let drawn = 0;
    let next = 0;
    const random = bulkRandom((count) => {
      drawn++;
      return Uint8Array.from({ length: count }, () => next++ % 251);
    });
    const given = Array.from({ length: 1_000 }, () => [...random(24)]);
    expect(given.every((bytes) => bytes.length === 24)).toBe(true);
    expect(given.flat()).toEqual(Array.from({ length: 24_000 }, (_, i) => i % 251));
    expect(drawn).toBe(4);
    expect(random(10_000)).toHaveLength(10_000);
  });
});
