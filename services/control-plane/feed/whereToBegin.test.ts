import { describe, expect, it } from "vitest";
import { formatPlace, lifeOf, parsePlace } from "./feedPlace.ts";
import { removedBetween, whereToBegin } from "./whereToBegin.ts";

const ends = { life: "aaaaaaaa", firstSeq: 11, lastSeq: 20 };
const at = (seq: number, life: string | null = null) => whereToBegin(ends, { seq, life });

describe("given what a feed holds, a reader", () => {
  it("without a place begins at what comes from now on", () => {
    expect(whereToBegin(ends, null)).toEqual({ after: 20, gap: null });
  });

  it("goes on after its place, with or without the feed's life", () => {
    for (const life of [null, "aaaaaaaa"]) {
      expect(at(10, life)).toEqual({ after: 10, gap: null });
      expect(at(15, life)).toEqual({ after: 15, gap: null });
      expect(at(20, life)).toEqual({ after: 20, gap: null });
    }
  });

  it("is told what was pruned, also when it asks for all there ever was", () => {
    expect(at(4)).toEqual({ after: 10, gap: { reason: "pruned", from: 5, to: 10 } });
    expect(at(0)).toEqual({ after: 10, gap: { reason: "pruned", from: 1, to: 10 } });
    expect(whereToBegin({ ...ends, firstSeq: 1 }, { seq: 0, life: null })).toEqual({ after: 0, gap: null });
  });

  it("with a place that this feed never had begins at the oldest event, and is told", () => {
    expect(at(21)).toEqual({ after: 10, gap: { reason: "beyond", from: null, to: null } });
    expect(at(15, "bbbbbbbb")).toEqual({ after: 10, gap: { reason: "other_life", from: null, to: null } });
  });

  it("of a feed that was emptied is told of all it has not read", () => {
    const emptied = { ...ends, firstSeq: 21 };
    expect(whereToBegin(emptied, { seq: 15, life: null })).toEqual({
      after: 20,
      gap: { reason: "pruned", from: 16, to: 20 },
    });
    expect(whereToBegin(emptied, { seq: 20, life: null })).toEqual({ after: 20, gap: null });
  });
});

describe("given that messages were removed in front of a reader that is behind", () => {
  it("the gap ends before the message that came", () => {
    expect(removedBetween(ends, 5, 12)).toEqual({ reason: "pruned", from: 6, to: 10 });
    expect(removedBetween({ ...ends, firstSeq: 19 }, 5, 12)).toEqual({ reason: "pruned", from: 6, to: 11 });
  });

  it("there is none where others' events explain the jump", () => {
    expect(removedBetween(ends, 10, 18)).toBeNull();
  });
});

describe("a place in the feed", () => {
  it("is written as its sequence and life, and read back", () => {
    const life = lifeOf("2026-11-29T20:00:00Z");
    expect(life).toMatch(/^[0-9a-f]{8}$/);
    for (const place of [
      { seq: 12, life },
      { seq: 0, life: null },
    ])
      expect(parsePlace(formatPlace(place))).toEqual(place);
  });

  it("is nothing else", () => {
    for (const text of ["", "-1", "1.5", "1-", "1-xyz", "1-AAAAAAAA", "1 ", "12345678901234567"])
      expect(parsePlace(text)).toBeNull();
  });
});
