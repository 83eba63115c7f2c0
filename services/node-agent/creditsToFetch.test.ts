import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { creditsToFetch } from "./creditsToFetch.ts";

describe("credits to fetch", () => {
  it("asks for every free slot when nothing is asked for", () => {
    expect(creditsToFetch({ slots: 8, busy: 3, outstanding: 0, batchMax: 512 })).toBe(5);
  });

  it("waits with a small top-up while most of what was asked for is still to come", () => {
    expect(creditsToFetch({ slots: 8, busy: 0, outstanding: 7, batchMax: 512 })).toBe(0);
    expect(creditsToFetch({ slots: 8, busy: 0, outstanding: 4, batchMax: 512 })).toBe(4);
  });

  it("never lets what runs and what is asked for exceed the slots, and never starves", () => {
    const nat = fc.nat({ max: 10_000 });
    fc.assert(
      fc.property(nat, nat, nat, fc.integer({ min: 1, max: 512 }), (slots, busy, outstanding, batchMax) => {
        const credits = creditsToFetch({ slots, busy, outstanding, batchMax });
        expect(credits).toBeGreaterThanOrEqual(0);
        expect(credits).toBeLessThanOrEqual(batchMax);
        if (credits > 0) expect(busy + outstanding + credits).toBeLessThanOrEqual(slots);
        if (outstanding === 0 && busy < slots) expect(credits).toBeGreaterThan(0);
      }),
    );
  });
});
