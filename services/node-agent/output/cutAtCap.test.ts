import fc from "fast-check";
import { expect, it } from "vitest";
import { cutAtCap } from "./cutAtCap.ts";

it("keeps what is below the cap and counts what is beyond", () => {
  expect(cutAtCap(0, 10, 100)).toEqual({ keep: 10, drop: 0 });
  expect(cutAtCap(95, 10, 100)).toEqual({ keep: 5, drop: 5 });
  expect(cutAtCap(100, 10, 100)).toEqual({ keep: 0, drop: 10 });
});

it("keeps exactly the cap of a longer stream, however it is cut into pieces", () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 50 })), fc.nat({ max: 200 }), (pieces, cap) => {
      let offset = 0;
      let kept = 0;
      let dropped = 0;
      for (const length of pieces) {
        const { keep, drop } = cutAtCap(offset, length, cap);
        kept += keep;
        dropped += drop;
        offset += length;
      }
      expect(kept).toBe(Math.min(cap, offset));
      expect(kept + dropped).toBe(offset);
    }),
  );
});
