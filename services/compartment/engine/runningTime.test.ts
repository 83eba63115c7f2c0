import { expect, it } from "vitest";
import { RunningTime } from "./runningTime.ts";

const piecesIn = (limitMs: number, pieceMs: number) => {
  const time = new RunningTime(limitMs);
  let pieces = 0;
  while (time.spend(pieceMs)) pieces++;
  return pieces;
};

it("gives a program all of its time, and ends it in the millisecond after", () => {
  expect(piecesIn(500_000, 100_000)).toBe(5);
  expect(piecesIn(499_999, 100_000)).toBe(4);
});
