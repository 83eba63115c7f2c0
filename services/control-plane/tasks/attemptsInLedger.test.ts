import { describe, expect, it } from "vitest";
import { evolve } from "../../domain/task/evolve.ts";
import { ada, GivenTask } from "../../domain/task/givenTask.ts";
import { absentTask, type TaskState } from "../../domain/task/taskState.ts";
import { attemptsInLedger, isFirstAttempt } from "./attemptsInLedger.ts";

const key = { tenant: "default", task: "t1" };

/** A ledger that holds a task's events, a sequence each. */
function ledgerOf(task: GivenTask) {
  let state: TaskState = absentTask;
  const events = task.events.map((body, index) => {
    state = evolve(state, body, index);
    return { seq: index + 1, event: { body, at: index, state } as never };
  });
  return {
    history: async (_key: unknown, max: number) => events.slice(0, max),
    last: { state, seq: events.length },
  };
}

describe("attempts in the ledger", () => {
  it("are all there for a task that was cancelled before its next attempt", async () => {
    const task = new GivenTask().running({ max_retries: 1 });
    task.when(task.exit({ exit_code: 7 }));
    task.when({ kind: "cancel", who: ada, reason: null });
    const ledger = ledgerOf(task);
    expect(isFirstAttempt(ledger.last.state)).toBe(false);
    expect(await attemptsInLedger(ledger, key, ledger.last)).toMatchObject([{ attempt: 1, exit_code: 7 }]);
  });

  it("are of the moment of the state, whatever came since", async () => {
    const task = new GivenTask().running();
    const before = { state: task.state, seq: task.events.length };
    task.when(task.exit());
    expect(await attemptsInLedger(ledgerOf(task), key, before)).toMatchObject([
      { attempt: 1, ended_by: null },
    ]);
  });

  it("are the last one alone where the history is too long to be read", async () => {
    const task = new GivenTask().scheduled();
    for (let n = 0; n < 130; n++) {
      task.when({ kind: "decline", node: "n1", fence: task.fence, message: "full" });
      task.when({ kind: "schedule", node: "n1" });
    }
    const ledger = ledgerOf(task);
    const attempts = await attemptsInLedger(ledger, key, ledger.last);
    expect(attempts).toMatchObject([{ attempt: 131, scheduled_at: null, ended_by: null }]);
  });
});
