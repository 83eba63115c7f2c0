import { describe, expect, it } from "vitest";
import { evolve } from "../task/evolve.ts";
import { GivenTask, submit, type Wish } from "../task/givenTask.ts";
import { absentTask, type TaskState } from "../task/taskState.ts";
import { LiveTasks } from "./liveTasks.ts";

/** Folds the histories of tasks, event by event, as a ledger would hold them. */
function folded(histories: Readonly<Record<string, GivenTask>>): LiveTasks {
  const fold = new LiveTasks();
  let seq = 0;
  for (const [task, { events }] of Object.entries(histories)) {
    let state: TaskState = absentTask;
    for (const body of events) {
      const at = 1_000 * ++seq;
      state = evolve(state, body, at);
      fold.apply({ seq, at, tenant: "default", task, body, state });
    }
  }
  return fold;
}

const waiting = (wish: Wish = submit()) => {
  const task = new GivenTask();
  task.when(wish);
  return task;
};
const over = () => {
  const task = new GivenTask().running();
  task.when(task.exit());
  return task;
};

describe("the fold of what is live", () => {
  it("keeps what waits and what runs, and of what ended only that it ended", () => {
    const fold = folded({ a: waiting(), b: new GivenTask().running(), c: over() });
    expect([...fold.all()].map((one) => one.task)).toEqual(["a", "b"]);
    expect([...fold.pending()].map((one) => one.task)).toEqual(["a"]);
    expect([...fold.on("n1")].map((one) => one.task)).toEqual(["b"]);
    expect([fold.countOn("n1"), fold.countOn("n2")]).toEqual([1, 0]);
    expect([fold.hasEnded("c"), fold.hasEnded("a"), fold.hasEnded("never")]).toEqual([true, false, false]);
  });

  it("tells of a task that ended whether it is erased, and nothing of one that it does not know", () => {
    const gone = over();
    gone.when({ kind: "erase" });
    const fold = folded({ a: waiting(), c: over(), d: gone });
    expect(["a", "c", "d", "never"].map((task) => fold.isErased(task))).toEqual([
      undefined,
      false,
      true,
      undefined,
    ]);
  });

  it("keeps the spec of the first event for as long as the task lives", () => {
    expect(folded({ b: new GivenTask().running() }).get("b")?.spec).toBe("{}");
  });

  it("lists what waits in the order in which it began to wait, a retry behind those that came before", () => {
    const retried = new GivenTask().running({ max_retries: 1 });
    const fold = folded({ a: retried, b: waiting() });
    const failed = retried.exit({ exit_code: 7 });
    retried.when(failed);
    const body = retried.events.at(-1)!;
    fold.apply({ seq: 99, at: 99_000, tenant: "default", task: "a", body, state: retried.state });
    expect(fold.get("a")?.since).toBe(99_000);
    expect([...fold.pending()].map((one) => one.task)).toEqual(["b", "a"]);
    expect(fold.countOn("n1")).toBe(0);
  });

  it("knows since when a task has its status; a cancel that is asked for changes none", () => {
    const task = new GivenTask().running();
    const fold = folded({ a: task });
    const since = fold.get("a")!.since;
    expect(since).toBe(1_000 * task.events.length);
    const body = {
      type: "cancel_requested",
      who: { actor: "user:a", accountable: null, route: "rest" },
      reason: null,
      due_at: 1,
    } as const;
    const state = evolve(task.state, body, 90_000);
    fold.apply({ seq: 90, at: 90_000, tenant: "default", task: "a", body, state });
    expect(fold.get("a")).toMatchObject({ since, seq: 90 });
  });

  it("skips what it has folded already", () => {
    const fold = folded({ a: new GivenTask().running() });
    fold.apply({
      seq: 1,
      at: 1_000,
      tenant: "default",
      task: "a",
      body: { type: "erased" },
      state: { status: "erased" },
    });
    expect(fold.get("a")?.state.status).toBe("running");
  });

  it("is the same when it is restored from its snapshot, through JSON", () => {
    const fold = folded({
      a: waiting(),
      b: new GivenTask().running(),
      c: new GivenTask().claimed(),
      d: over(),
    });
    const restored = LiveTasks.restore(JSON.parse(JSON.stringify(fold.snapshot())));
    expect(restored.snapshot()).toEqual(fold.snapshot());
    expect([...restored.on("n1")].map((one) => one.task)).toEqual(["b", "c"]);
    expect(restored.position).toBe(fold.position);
  });
});
