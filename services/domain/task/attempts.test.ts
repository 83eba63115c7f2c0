import { describe, expect, it } from "vitest";
import { attemptsOf, type EndingEvent } from "./attempts.ts";
import { evolve } from "./evolve.ts";
import { ada, GivenTask, START } from "./givenTask.ts";
import { absentTask, type TaskState } from "./taskState.ts";

/** The history of a task, an event a second. */
function historyOf(task: GivenTask): EndingEvent[] {
  let state: TaskState = absentTask;
  return task.events.map((body, index) => {
    const at = START + (index + 1) * 1_000;
    state = evolve(state, body, at);
    return { body, at, state };
  });
}

const logs = { stdout: { stored: 3, dropped: 0 }, stderr: { stored: 0, dropped: 2 } };

describe("a task's attempts", () => {
  it("are none before the first, and one from its offer to its end", () => {
    const task = new GivenTask();
    expect(attemptsOf([])).toEqual([]);
    task.scheduled();
    expect(attemptsOf(historyOf(task))).toMatchObject([
      {
        attempt: 1,
        fence: task.fence,
        node: "n1",
        ended_by: null,
        scheduled_at: START + 2_000,
        claimed_at: null,
      },
    ]);
    task.when({ kind: "grant", node: "n1", fence: task.fence, attempt: 1 });
    task.when(task.exit());
    expect(attemptsOf(historyOf(task))).toMatchObject([
      { attempt: 1, ended_by: "succeeded", claimed_at: START + 3_000, exit_code: 0, reason: null },
    ]);
  });

  it("are kept apart: an offer taken back, a pull that failed, an exit, and the last", () => {
    const image = { ref: "a:1", repo_digest: null, image_id: "sha256:1" };
    const task = new GivenTask().scheduled({ max_retries: 1 });
    task.when({ kind: "decline", node: "n1", fence: task.fence, message: "full" });
    const again = () => {
      task.when({ kind: "schedule", node: "n1" }, 600_000);
      task.when({ kind: "grant", node: "n1", fence: task.fence, attempt: task.attempt });
    };
    again();
    task.when(task.unstarted("image_pull", "no route"));
    again();
    const failed = task.exit({ exit_code: 7 });
    if (failed.kind === "report") Object.assign(failed.report, { image, logs });
    task.when(failed);
    again();
    task.when(task.exit());
    const attempts = attemptsOf(historyOf(task));
    expect(
      attempts.map(({ attempt, ended_by, reason, uses_retry, exit_code }) => [
        attempt,
        ended_by,
        reason,
        uses_retry,
        exit_code,
      ]),
    ).toEqual([
      [1, "returned", "declined", false, null],
      [2, "retrying", "image_pull", false, null],
      [3, "retrying", "exit", true, 7],
      [4, "succeeded", null, false, 0],
    ]);
    expect(attempts[0]).toMatchObject({
      node: "n1",
      message: "full",
      claimed_at: null,
      finished_at: START + 3_000,
    });
    expect(attempts[1]).toMatchObject({ image: null, started_at: null, message: "no route" });
    expect(attempts[2]).toMatchObject({ image, logs, node: "n1", not_before: expect.any(Number) });
    expect(new Set(attempts.map((one) => one.fence)).size).toBe(4);
  });

  it("do not grow by a cancel between two of them", () => {
    const task = new GivenTask().running({ max_retries: 1 });
    task.when(task.exit({ exit_code: 7 }));
    task.when({ kind: "cancel", who: ada, reason: null });
    expect(attemptsOf(historyOf(task))).toMatchObject([{ attempt: 1, ended_by: "retrying" }]);
  });

  it("end with the cancel that meets an offer", () => {
    const task = new GivenTask().scheduled();
    task.when({ kind: "cancel", who: ada, reason: null });
    expect(attemptsOf(historyOf(task))).toMatchObject([{ attempt: 1, ended_by: "cancelled", image: null }]);
  });
});
