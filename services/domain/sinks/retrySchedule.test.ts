import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { heedRetryAfter, heldUntil, nextTryAt, type RetryPolicy } from "./retrySchedule.ts";

const policy: RetryPolicy = { tries: 8, firstMs: 5_000, lastMs: 3_645_000 };
const END = 1_000_000;
const next = (over: Partial<Parameters<typeof nextTryAt>[1]>) =>
  nextTryAt(policy, { endedAt: END, now: END, triesHere: 1, spread: 0, ...over });

describe("the schedule of a sink's tries", () => {
  it("begins at the task's end and grows to the last place", () => {
    expect(next({ triesHere: 0 })).toBe(END);
    const places: number[] = [];
    for (let now = END, tries = 1; ; tries++) {
      const at = next({ now, triesHere: tries });
      if (at === null) break;
      places.push((at - END) / 1000);
      now = at;
    }
    expect(places).toEqual([5, 15, 45, 135, 405, 1215, 3645]);
  });

  it("is the same after a restart: places that have passed are past", () => {
    expect(next({ triesHere: 1, now: END + 50_000 })).toBe(END + 135_000);
    expect(next({ triesHere: 4, now: END + 50_000 })).toBe(END + 135_000);
  });

  it("gives a process that comes late three tries all the same, and no more", () => {
    const now = END + 86_400_000;
    expect(next({ triesHere: 0, now })! <= now).toBe(true);
    expect(next({ triesHere: 1, now })).toBe(now + 2_000);
    expect(next({ triesHere: 2, now })).toBe(now + 4_000);
    expect(next({ triesHere: 3, now })).toBeNull();
  });

  it("ends after its tries, whatever their number and spread", () => {
    const any = fc.record({
      tries: fc.integer({ min: 1, max: 20 }),
      firstMs: fc.integer({ min: 1, max: 60_000 }),
      lastMs: fc.integer({ min: 60_000, max: 86_400_000 }),
      spread: fc.double({ min: 0, max: 0.99, noNaN: true }),
      late: fc.integer({ min: 0, max: 100_000_000 }),
    });
    fc.assert(
      fc.property(any, ({ spread, late, ...schedule }) => {
        let now = END + late;
        let tries = 0;
        for (;;) {
          const at = nextTryAt(schedule, { endedAt: END, now, triesHere: tries, spread });
          if (at === null) break;
          now = Math.max(now, at);
          tries++;
        }
        expect(tries).toBeGreaterThanOrEqual(1);
        expect(tries).toBeLessThanOrEqual(schedule.tries);
        if (late === 0 && spread === 0) expect(now).toBeLessThanOrEqual(END + schedule.lastMs + 10_000);
      }),
    );
  });

  it("heeds a receiver that asks for later, but never beyond its last place", () => {
    const heed = (retryAfterMs: number, at: number | null = END + 5_000) =>
      heedRetryAfter(policy, { at, endedAt: END, now: END, retryAfterMs });
    expect(heed(60_000)).toBe(END + 60_000);
    expect(heed(1_000)).toBe(END + 5_000);
    expect(heed(86_400_000)).toBe(END + 3_645_000);
    expect(heed(60_000, null)).toBeNull();
  });
});

describe("a sink that a limit holds back", () => {
  const held = (over: Partial<Parameters<typeof heldUntil>[1]>) =>
    heldUntil(policy, { endedAt: END, now: END, holds: 0, retryAfterMs: 0, spread: 0, ...over });

  it("waits as long as the limit says, and longer each time up to a minute, apart from others", () => {
    expect(held({ retryAfterMs: 30_000 })).toBe(END + 30_000);
    expect([0, 1, 5, 6, 60].map((holds) => held({ holds })! - END)).toEqual([
      1_000, 2_000, 32_000, 60_000, 60_000,
    ]);
    expect(held({ retryAfterMs: 30_000, spread: 0.5 })).toBe(END + 33_000);
  });

  it("waits until the last place of a try, and no longer", () => {
    expect(held({ now: END + 3_640_000, retryAfterMs: 30_000 })).toBe(END + 3_645_000);
    expect(held({ now: END + 3_645_000, retryAfterMs: 30_000 })).toBeNull();
  });
});
