import { describe, expect, it } from "vitest";
import { type FoundRemains, planReap, type ReapInput } from "./planReap.ts";

const nowMs = 1_000_000;
const graceMs = 60_000;
const old = nowMs - graceMs;
const ref = { tenant: "default", task: "t1", attempt: 1, fence: "f1" };
const remains = (more: Partial<FoundRemains> = {}): FoundRemains => ({
  node: "a",
  ref,
  container: "exited",
  madeAt: old,
  epoch: "now",
  ...more,
});
const nothing = { remains: [], folders: [], strays: [] };
const asOf = { epoch: "now", seq: 9 };
const silent = { as_of: asOf, desired: [], settled: [] };
const over = { ...silent, settled: ["f1"] };
const wanted = { ...silent, desired: [{ ...ref, cancel: false }] };

function verdictOn(
  one: FoundRemains,
  more: Partial<ReapInput> & { answer?: typeof over | typeof wanted } = {},
) {
  const { answer = over, ...rest } = more;
  const answers = new Map([["a", answer]]);
  const [verdict] = planReap({
    found: { ...nothing, remains: [one] },
    answers,
    nowMs,
    graceMs,
    running: false,
    ...rest,
  });
  return verdict!;
}

describe("what is left of an attempt", () => {
  it.each(["none", "created", "running", "exited"] as const)(
    "given its attempt is over, when its container is %s, then it goes",
    (container) => {
      expect(verdictOn(remains({ container }))).toMatchObject({
        go: true,
        why: expect.stringContaining("over"),
      });
    },
  );

  it.each(["none", "created", "running", "exited"] as const)(
    "given the ledger wants it, when its container is %s, then it stays whatever is asked",
    (container) => {
      const asked = { answer: wanted, running: true, graceMs: 0 };
      expect(verdictOn(remains({ container, epoch: "before" }), asked).go).toBe(false);
    },
  );

  it("given it is younger than the grace, then it stays, also where its attempt is over", () => {
    expect(verdictOn(remains({ madeAt: old + 1 }))).toMatchObject({
      go: false,
      why: expect.stringContaining("younger"),
    });
  });

  it("given another ledger granted it, then it goes", () => {
    expect(verdictOn(remains({ epoch: "before" }), { answer: silent })).toMatchObject({ go: true });
    expect(verdictOn(remains({ epoch: null }), { answer: silent })).toMatchObject({ go: true });
  });

  it("given another ledger granted it, when it runs, then it goes only where that is asked for", () => {
    const running = remains({ epoch: "before", container: "running" });
    expect(verdictOn(running, { answer: silent })).toMatchObject({
      go: false,
      why: expect.stringContaining("--running"),
    });
    expect(verdictOn(running, { answer: silent, running: true }).go).toBe(true);
  });

  it("given this very ledger granted it and does not show it, then it stays: that is damage", () => {
    const asked = { answer: silent, running: true };
    expect(verdictOn(remains(), asked)).toMatchObject({
      go: false,
      why: expect.stringContaining("ledger verify"),
    });
  });

  it("given its node could not be asked about, then it stays", () => {
    expect(verdictOn(remains({ node: "b" }))).toMatchObject({
      go: false,
      why: expect.stringContaining("nobody"),
    });
  });
});

describe("what is left beside containers", () => {
  const folder = { node: "a", path: "/x/t1-1", of: "t1-1", changedAt: old };
  const planOf = (found: Partial<ReapInput["found"]>, answer: typeof over | typeof wanted = over) =>
    planReap({
      found: { ...nothing, ...found },
      answers: new Map([["a", answer]]),
      nowMs,
      graceMs,
      running: false,
    }).map(({ go }) => go);

  it("given a folder, when nothing of its attempt is here, then it goes after the grace", () => {
    expect(planOf({ folders: [folder] })).toEqual([true]);
    expect(planOf({ folders: [{ ...folder, changedAt: old + 1 }] })).toEqual([false]);
  });

  it("given a folder, when the ledger has its attempt on the node, as one that waits for its image, then it stays", () => {
    expect(planOf({ folders: [folder] }, wanted)).toEqual([false]);
    expect(planOf({ folders: [{ ...folder, node: "b" }] }, wanted)).toEqual([true]);
  });

  it("given a folder, when a container or a marker of its attempt is here, then it goes with that", () => {
    expect(planOf({ folders: [folder], remains: [remains()] })).toEqual([true, false]);
    expect(planOf({ folders: [folder], remains: [remains({ node: "b" })] })).toEqual([false, true]);
  });

  it("given a container that names no attempt, then it stays", () => {
    expect(planOf({ strays: [{ container: "c1", madeAt: 0 }] })).toEqual([false]);
  });
});
