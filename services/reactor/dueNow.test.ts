import { describe, expect, it } from "vitest";
import { LiveTasks } from "../domain/live/liveTasks.ts";
import { GivenTask, START, submit } from "../domain/task/givenTask.ts";
import { dueNow } from "./dueNow.ts";

function fold(tasks: Readonly<Record<string, GivenTask>>): LiveTasks {
  const live = new LiveTasks();
  let seq = 0;
  for (const [task, given] of Object.entries(tasks)) {
    const body = given.events.at(-1)!;
    live.apply({ seq: ++seq, at: START, tenant: "default", task, body, state: given.state });
  }
  return live;
}

describe("what time asks for", () => {
  const waiting = new GivenTask();
  waiting.when(submit());
  const tasks = fold({ waiting, offered: new GivenTask().scheduled(), running: new GivenTask().running() });

  it("is nothing while limits hold and nodes are heard", () => {
    expect(dueNow({ tasks, now: START + 10_000, isLost: () => false })).toEqual([]);
  });

  it("is each task whose time has come", () => {
    const due = dueNow({ tasks, now: START + 60_000, isLost: () => false });
    expect(due.map((one) => [one.task.task, one.why])).toEqual([["offered", "due"]]);
  });

  it("is every task of a lost node, the due ones as due", () => {
    const due = dueNow({ tasks, now: START + 60_000, isLost: (node) => node === "n1" });
    expect(due.map((one) => [one.task.task, one.why])).toEqual([
      ["offered", "due"],
      ["running", "lost"],
    ]);
  });
});
