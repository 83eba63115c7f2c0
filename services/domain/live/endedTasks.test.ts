import { describe, expect, it } from "vitest";
import { GivenTask, START, submit } from "../task/givenTask.ts";
import type { TaskLimits } from "../task/taskState.ts";
import { DueOrder } from "./dueOrder.ts";
import { EndedTasks } from "./endedTasks.ts";

const ended = (limits: Partial<TaskLimits> = {}) => {
  const task = new GivenTask().running(limits);
  task.when(task.exit());
  return task;
};

/** Folds the newest event of each task, one after the other. */
function folded(tasks: Readonly<Record<string, GivenTask>>, fold = new EndedTasks(), from = 0): EndedTasks {
  let seq = from;
  for (const [task, { events, state, at }] of Object.entries(tasks))
    fold.apply({ seq: ++seq, at, tenant: "default", task, body: events.at(-1)!, state });
  return fold;
}

function restoredFrom(fold: EndedTasks, position: number): EndedTasks {
  const restored = EndedTasks.awaiting(position);
  for (const _part of restored.merge(JSON.parse(JSON.stringify(fold.snapshot()))));
  return restored;
}

const idsOf = (tasks: Iterable<{ readonly task: string }>) => [...tasks].map((one) => one.task).sort();
const TTL = { ttl_ms: 60_000 };
const LONG_AFTER = START + 3_600_000;

describe("the fold of ended tasks", () => {
  it("keeps nothing of tasks that are live, and of those that ended with nothing to come", () => {
    const waiting = new GivenTask();
    waiting.when(submit(TTL));
    const fold = folded({ waiting, running: new GivenTask().running({ sinks: 1, ...TTL }), over: ended() });
    expect(fold.size).toBe(0);
  });

  it("gives a task as due once its ttl has passed since its end, and not before", () => {
    const task = ended(TTL);
    const fold = folded({ a: task, b: ended({ ttl_ms: 600_000 }) });
    expect(idsOf(fold.due(task.at + 59_999))).toEqual([]);
    expect(idsOf(fold.due(task.at + 60_000))).toEqual(["a"]);
    expect(fold.get("a")).toMatchObject({
      status: "succeeded",
      endedAt: task.at,
      expiresAt: task.at + 60_000,
    });
  });

  it("holds a task back until its sinks are settled, however they settled", () => {
    const task = ended({ sinks: 2, ...TTL });
    const fold = folded({ a: task });
    expect([idsOf(fold.unsettled()), idsOf(fold.due(LONG_AFTER))]).toEqual([["a"], []]);
    const { endedAt } = fold.get("a")!;
    task.when({ kind: "sink_delivered", sink: "s1", receipt: null });
    folded({ a: task }, fold, 1);
    expect([idsOf(fold.unsettled()), idsOf(fold.due(LONG_AFTER))]).toEqual([["a"], []]);
    task.when({ kind: "sink_failed", sink: "s2", tries: 5, message: "away" });
    folded({ a: task }, fold, 2);
    expect([idsOf(fold.unsettled()), idsOf(fold.due(LONG_AFTER))]).toEqual([[], ["a"]]);
    expect(fold.get("a")).toMatchObject({ seq: 3, endedAt, settledSinks: ["s1", "s2"] });
  });

  it("forgets a task that has no ttl once its sinks are settled, and any that is erased", () => {
    const sunk = ended({ sinks: 1 });
    const expiring = ended(TTL);
    const fold = folded({ sunk, expiring });
    sunk.when({ kind: "sink_delivered", sink: "s1", receipt: null });
    expiring.when({ kind: "erase" });
    folded({ sunk, expiring }, fold, 2);
    expect([fold.size, idsOf(fold.due(LONG_AFTER)), fold.unsettledCount]).toEqual([0, [], 0]);
  });

  it("skips what it has folded already", () => {
    const task = ended(TTL);
    const fold = folded({ a: task, b: ended(TTL) });
    task.when({ kind: "erase" });
    folded({ a: task }, fold, 0);
    expect(fold.size).toBe(2);
  });

  it("is the same when it is restored from its snapshot, through JSON", () => {
    const half = ended({ sinks: 2, ...TTL });
    half.when({ kind: "sink_delivered", sink: "s1", receipt: null });
    const fold = folded({ a: ended(TTL), b: half, c: ended({ sinks: 1 }), d: ended({ ttl_ms: 1 }) });
    const restored = restoredFrom(fold, 4);
    expect(restored.snapshot()).toEqual(fold.snapshot());
    expect(["a", "b", "c", "d"].map((id) => restored.get(id))).toEqual(
      ["a", "b", "c", "d"].map((id) => fold.get(id)),
    );
    expect(idsOf(restored.due(LONG_AFTER))).toEqual(["a", "d"]);
    expect(idsOf(restored.unsettled())).toEqual(["b", "c"]);
    expect(restoredFrom(new EndedTasks(), 9).size).toBe(0);
  });

  it("takes what its snapshot holds after what came since, and the newer counts", () => {
    const erased = ended(TTL);
    const sunk = ended({ sinks: 1, ...TTL });
    const before = folded({ erased, sunk, old: ended(TTL) });
    erased.when({ kind: "erase" });
    sunk.when({ kind: "sink_delivered", sink: "s1", receipt: null });
    const fold = EndedTasks.awaiting(3);
    folded({ erased, sunk, young: ended(TTL) }, fold, 3);
    expect([fold.isWhole, idsOf(fold.due(LONG_AFTER))]).toEqual([false, ["sunk", "young"]]);
    for (const _part of fold.merge(before.snapshot())) expect.unreachable();
    expect([fold.isWhole, idsOf(fold.due(LONG_AFTER))]).toEqual([true, ["old", "sunk", "young"]]);
    expect([fold.get("sunk")?.seq, fold.unsettledCount]).toEqual([5, 0]);
  });

  it("may be told of what was before event by event, where there is no snapshot", () => {
    const fold = EndedTasks.awaiting(2);
    const task = ended(TTL);
    task.when({ kind: "erase" });
    folded({ task }, fold, 2);
    const state = ended(TTL);
    for (const [seq, id] of ["task", "old"].entries())
      fold.replay({
        seq: seq + 1,
        at: state.at,
        tenant: "default",
        task: id,
        body: state.events.at(-1)!,
        state: state.state,
      });
    fold.becomeWhole();
    expect(idsOf(fold.due(LONG_AFTER))).toEqual(["old"]);
  });

  it("finds the few that are due among very many without looking at the others", () => {
    const order = new DueOrder<number>();
    const times = Array.from({ length: 5_000 }, (_, index) => (index * 7_919) % 5_000);
    for (const time of times) order.add(time, time);
    expect([...order.until(9)].sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    order.dropWhile((time) => time < 4_990);
    expect([...order.until(1e9)].sort((a, b) => a - b)).toEqual([
      4_990, 4_991, 4_992, 4_993, 4_994, 4_995, 4_996, 4_997, 4_998, 4_999,
    ]);
    expect(order.size).toBe(10);
  });
});
