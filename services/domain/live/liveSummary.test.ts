import { describe, expect, it } from "vitest";
import { GivenTask, START, submit } from "../task/givenTask.ts";
import type { PendingTask, PlacedTask } from "../task/taskState.ts";
import { LiveSummary } from "./liveSummary.ts";

const waiting = (wish = submit()) => {
  const task = new GivenTask();
  task.when(wish);
  return task.state as PendingTask;
};
const figuresOf = (now: number, ...tasks: { state: PendingTask | PlacedTask; since: number }[]) => {
  const summary = new LiveSummary(now);
  for (const task of tasks) summary.add(task);
  return summary.figures();
};

describe("the figures of what is live", () => {
  it("count tasks by state and keep the oldest time in each", () => {
    const running = new GivenTask().running().state as PlacedTask;
    const figures = figuresOf(
      START + 9_000,
      { state: waiting(), since: START },
      { state: waiting(), since: START + 5_000 },
      { state: running, since: START + 7_000 },
    );
    expect(figures.count).toEqual({ pending: 2, scheduled: 0, claimed: 0, running: 1 });
    expect(figures.oldestMs).toEqual({ pending: 9_000, scheduled: 0, claimed: 0, running: 2_000 });
    expect(figures.queueAgeMs).toBe(9_000);
  });

  it("let a retry wait from when it may be tried again, and never count below nothing", () => {
    const state: PendingTask = {
      ...waiting(),
      retries_used: 1,
      not_before: START + 60_000,
      due_at: START + 60_000,
    };
    expect(figuresOf(START + 30_000, { state, since: START }).queueAgeMs).toBe(0);
    const later = figuresOf(START + 65_000, { state, since: START });
    expect([later.queueAgeMs, later.overdue]).toEqual([5_000, 0]);
  });

  it("tell image pulls that go on from those that failed and wait for their next try", () => {
    const claimed = new GivenTask().claimed().state as PlacedTask;
    const pull = {
      ref: "docker.io/library/alpine:latest",
      notice: 1,
      tries: 1,
      started_at: START,
      layers_done: 0,
      layers_total: 0,
      bytes_done: 0,
      bytes_total: 0,
      last_error: null,
      retry_at: null,
      finished_at: null,
    };
    const pulling = (more: object) => ({ state: { ...claimed, pull: { ...pull, ...more } }, since: START });
    const waits = pulling({ last_error: "429", retry_at: START + 9_000 });
    const figures = figuresOf(START, pulling({}), waits, pulling({ finished_at: START }));
    expect(figures.pulls).toEqual({ running: 1, waiting: 1 });
  });

  it("call a task overdue when its limit or its start deadline has passed", () => {
    const offered = new GivenTask().scheduled().state as PlacedTask;
    const late: PendingTask = { ...waiting(), limits: { ...waiting().limits, start_within_ms: 1_000 } };
    const figures = figuresOf(
      offered.due_at! + 2_000,
      { state: offered, since: START },
      { state: { ...late, submitted_at: offered.due_at! - 6_000 }, since: START },
    );
    expect([figures.overdue, figures.overdueMs]).toEqual([2, 7_000]);
  });
});
