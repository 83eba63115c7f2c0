import { describe, expect, it } from "vitest";
import { survivorFates } from "./survivorFates.ts";

const none = { replacedFrom: null, movedSubjects: new Set<string>(), copiedIds: new Set<string>() };
const at = (seq: number, subject = "a", eventId: string | null = `e${seq}`) => ({ seq, subject, eventId });

describe("what becomes of events that only the ledger has", () => {
  it("they keep their place where the ledger only lost events", () => {
    expect([...survivorFates([at(7), at(101), at(102)], none).values()]).toEqual(["keep", "keep", "keep"]);
  });

  it("they come after the copy's end where the ledger was written to after it had lost its end", () => {
    const fates = survivorFates([at(7), at(95), at(96, "b")], {
      ...none,
      replacedFrom: 95,
      movedSubjects: new Set(["b"]),
    });
    expect([...fates]).toEqual([
      [7, "keep"],
      [95, "append"],
      [96, "conflict"],
    ]);
  });

  it("an event that the copy has elsewhere is not put in twice", () => {
    const copied = { ...none, replacedFrom: 95, copiedIds: new Set(["e95"]) };
    expect([...survivorFates([at(95)], copied).values()]).toEqual(["duplicate"]);
  });

  it("bytes that are no event are kept for a person", () => {
    expect([...survivorFates([at(101, "a", null)], none).values()]).toEqual(["unreadable"]);
  });
});
