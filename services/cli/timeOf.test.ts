import { describe, expect, it } from "vitest";
import { timeAhead, timeOf } from "./timeOf.ts";

const now = Date.parse("2026-11-29T12:00:00Z");

describe("a time that a person wrote", () => {
  it.each([
    ["90s", "2026-11-29T11:58:30.000Z"],
    ["1h", "2026-11-29T11:00:00.000Z"],
    ["2d", "2026-11-27T12:00:00.000Z"],
    ["2026-11-01", "2026-11-01T00:00:00.000Z"],
    ["2026-11-01T10:00", "2026-11-01T10:00:00.000Z"],
    ["2026-11-01T10:00:00+02:00", "2026-11-01T08:00:00.000Z"],
  ])("is read: %s", (text, time) => {
    expect(timeOf(text, now)).toBe(time);
  });

  it.each(["", "yesterday", "1w", "-1h", "5", "2026-13-01", "2026-11-01Tx"])("is refused: %j", (text) => {
    expect(() => timeOf(text, now)).toThrow(expect.objectContaining({ code: "USAGE" }));
  });
});

describe("a time ahead that a person wrote", () => {
  it.each([
    ["12h", "2026-11-30T00:00:00.000Z"],
    ["90d", "2027-02-27T12:00:00.000Z"],
    ["2027-01-31", "2027-01-31T00:00:00.000Z"],
  ])("is a time that comes: %s", (text, time) => {
    expect(timeAhead(text, now)).toBe(time);
  });

  it.each(["-5d", "9999999d", "soon"])("is refused with how to write one: %j", (text) => {
    expect(() => timeAhead(text, now)).toThrow(
      expect.objectContaining({ code: "USAGE", hint: expect.stringContaining("in how long") }),
    );
  });
});
