import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ada, GivenTask, submit, type Wish } from "./givenTask.ts";
import { terminalEventTypes } from "./taskEvent.ts";

/** A step that may be sensible, late, repeated or of an attempt long gone. */
const step = fc.record({
  kind: fc.constantFrom(
    "schedule",
    "grant",
    "decline",
    "pull",
    "start",
    "exit",
    "unstarted",
    "lose",
    "due",
    "cancel",
    "sink",
    "erase",
    "submit",
  ),
  node: fc.constantFrom("n1", "n2"),
  stale: fc.boolean(),
  notice: fc.integer({ min: 1, max: 70 }),
  code: fc.constantFrom(0, 7),
  stoppedBy: fc.constantFrom(null, "timeout", "cancel", "disconnect" as const),
  nodeLost: fc.boolean(),
  afterMs: fc.constantFrom(0, 1_000, 40_000, 700_000),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function wishOf(task: GivenTask, one: Step, fences: readonly string[]): Wish {
  const fence = one.stale ? (fences[0] ?? "1.none") : task.fence;
  const attempt = Number(fence.split(".")[0]) || 1;
  const addressed = (wish: Wish): Wish => {
    if (wish.kind === "report") Object.assign(wish.report, { fence, attempt, node: one.node });
    return wish;
  };
  switch (one.kind) {
    case "submit":
      return submit({ max_retries: 2 });
    case "schedule":
      return { kind: "schedule", node: one.node };
    case "grant":
      return { kind: "grant", node: one.node, fence, attempt };
    case "decline":
      return { kind: "decline", node: one.node, fence, message: "full" };
    case "pull":
      return addressed(task.pulling(one.notice));
    case "start":
      return addressed(task.report({ started_at: 1 }));
    case "exit":
      return addressed(task.exit({ exit_code: one.code, stopped_by: one.stoppedBy as never }));
    case "unstarted":
      return addressed(task.unstarted("image_pull", "no"));
    case "lose":
      return { kind: "lose", fence, jitter: 0 };
    case "due":
      return { kind: "due", nodeLost: one.nodeLost, jitter: 0 };
    case "cancel":
      return { kind: "cancel", who: ada, reason: null };
    case "sink":
      return { kind: "sink_delivered", sink: "s", receipt: null };
    default:
      return { kind: "erase" };
  }
}

describe("whatever order commands come in", () => {
  it("the history stays legal, has at most one end, and nothing but sinks and erasure after it", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const task = new GivenTask();
        const fences: string[] = [];
        for (const one of steps) {
          // `when` evolves through every event, so an illegal transition throws here.
          task.when(wishOf(task, one, fences), one.afterMs);
          if (task.fence !== "none" && fences.at(-1) !== task.fence) fences.push(task.fence);
        }
        const types = task.events.map((body) => body.type);
        const ends = types.flatMap((type, index) =>
          terminalEventTypes.includes(type as never) ? [index] : [],
        );
        expect(ends.length).toBeLessThanOrEqual(1);
        expect(
          types
            .slice((ends[0] ?? types.length) + 1)
            .every((type) => ["sink_delivered", "sink_failed", "erased"].includes(type)),
        ).toBe(true);
        expect(types.indexOf("submitted")).toBe(types.length === 0 ? -1 : 0);
        expect(new Set(fences).size).toBe(fences.length);
      }),
      { numRuns: 2_000 },
    );
  });

  it("a repeated command adds nothing that the first did not", () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 30 }), (steps) => {
        const task = new GivenTask();
        task.when(submit({ max_retries: 2 }));
        for (const one of steps) {
          const wish = wishOf(task, one, []);
          task.when(wish, one.afterMs);
          const before = task.events.length;
          const repeatable = ["grant", "report", "cancel", "lose", "decline"].includes(wish.kind);
          if (repeatable) task.when(wish, 0);
          if (repeatable) expect(task.events.length).toBe(before);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
