import { describe, expect, it } from "vitest";
import { planRepair, type RepairFacts } from "./planRepair.ts";

const sound: RepairFacts = {
  copy: { epoch: "one", end: 100 },
  stream: { epoch: "one", lastSeq: 103 },
  missing: 0,
  holes: 0,
  altered: 0,
  replacedFrom: null,
};

describe("the plan of a repair", () => {
  it.each<[string, Partial<RepairFacts>, string, boolean]>([
    ["the ledger has all that was copied", {}, "nothing", false],
    ["nothing was ever copied", { copy: { epoch: "", end: 0 } }, "nothing", false],
    ["there is neither stream nor copy", { copy: { epoch: "", end: 0 }, stream: null }, "nothing", false],
    ["the stream is gone", { stream: null, missing: 100 }, "append", true],
    [
      "the stream was made anew and is empty",
      { stream: { epoch: "two", lastSeq: 0 }, missing: 100 },
      "append",
      true,
    ],
    ["the end is cut off", { stream: { epoch: "one", lastSeq: 90 }, missing: 10 }, "append", false],
    ["the end is cut off where all was erased", { stream: { epoch: "one", lastSeq: 99 } }, "append", false],
    [
      "the stream was made anew with the same events",
      { stream: { epoch: "two", lastSeq: 103 } },
      "append",
      true,
    ],
    ["a message before the end is gone", { missing: 1, holes: 1 }, "rebuild", true],
    ["a message is altered", { altered: 1 }, "rebuild", true],
    ["others stand where the lost ones stood", { missing: 5, replacedFrom: 95 }, "rebuild", true],
    [
      "made anew and written to",
      { stream: { epoch: "two", lastSeq: 2 }, missing: 98, replacedFrom: 1 },
      "rebuild",
      true,
    ],
  ])("given that %s", (_given, facts, kind, newEpoch) => {
    expect(planRepair({ ...sound, ...facts })).toMatchObject({ kind, newEpoch });
  });

  it("says in a sentence what was found", () => {
    expect(planRepair({ ...sound, missing: 2, holes: 2, altered: 1 }).why).toBe(
      "before the ledger's end events are 2 gone and 1 altered",
    );
  });
});
