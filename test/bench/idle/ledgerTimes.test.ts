import { expect, it } from "vitest";
import { wallMsOf } from "./ledgerTimes.ts";

it("keeps the part of a millisecond that a server's time tells", () => {
  const second = Date.parse("2026-11-29T23:00:01Z");
  expect(wallMsOf("2026-11-29T23:00:01.123456789Z") - second).toBeCloseTo(123.456789, 3);
});

it("reads a server's time of whole seconds", () => {
  expect(wallMsOf("2026-11-29T23:00:01Z")).toBe(Date.parse("2026-11-29T23:00:01Z"));
});
