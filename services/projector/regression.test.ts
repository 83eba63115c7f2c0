import { describe, expect, it } from "vitest";
import { checkRegression } from "./regression.ts";

const copy = {
  epoch: "2026-01-01",
  newest: [
    { seq: 9, eventId: "e9" },
    { seq: 8, eventId: "e8" },
  ],
};
const ledger = (lastSeq: number, ids: Record<number, string | null>, epoch = "2026-01-01") => ({
  epoch,
  lastSeq,
  idAt: new Map(Object.entries(ids).map(([seq, id]) => [Number(seq), id])),
});

describe("checkRegression", () => {
  it("accepts a ledger that holds the copy's last event, with or without more after it", () => {
    expect(checkRegression(copy, ledger(9, { 9: "e9" }))).toBe("ok");
    expect(checkRegression(copy, ledger(20, { 9: "e9" }))).toBe("ok");
  });

  it("accepts any ledger for a database that has copied nothing", () => {
    expect(checkRegression(null, ledger(20, {}))).toBe("ok");
    expect(checkRegression({ epoch: "other", newest: [] }, ledger(20, {}))).toBe("ok");
  });

  it.each([
    ["made anew", ledger(0, {}, "2026-02-02"), "2026-02-02"],
    ["shorter than the copy", ledger(7, {}), "sequence 9"],
    ["overtaken after it lost its tail", ledger(20, { 9: "other" }), "event e9"],
  ])("refuses a ledger that was %s", (_what, witness, named) => {
    expect(checkRegression(copy, witness)).toEqual({ regressed: expect.stringContaining(named) });
  });

  it("passes over a message that was erased, and asks the next older one", () => {
    expect(checkRegression(copy, ledger(20, { 9: null, 8: "e8" }))).toBe("ok");
    expect(checkRegression(copy, ledger(20, { 9: null, 8: "other" }))).toEqual({
      regressed: expect.stringContaining("e8"),
    });
  });
});
