import { setImmediate as nextTurn } from "node:timers/promises";
import { LiveSummary, liveStatuses } from "../../../services/domain/live/liveSummary.ts";
import type { Clock } from "../../../services/kernel/clock.ts";
import type { LiveFold } from "../../../services/kernel/ledger/liveFold.ts";
import type { SetGauge } from "../../../services/kernel/metrics/metrics.ts";

/** About a millisecond; then everything else has its turn. */
const TASKS_AT_ONCE = 10_000;

/** How many tasks are in which state, and for how long. A fold that stopped knows nothing: then they are absent. */
export async function taskGauges(
  live: Pick<LiveFold, "tasks" | "ended" | "caughtUp">,
  clock: Clock,
  set: SetGauge,
): Promise<void> {
  if (!live.caughtUp()) throw new Error("the ledger has not been folded to its end");
  const summary = new LiveSummary(clock.now());
  let seen = 0;
  for (const task of live.tasks.all()) {
    summary.add(task);
    if (++seen % TASKS_AT_ONCE === 0) await nextTurn();
  }
  const figures = summary.figures();
  for (const status of liveStatuses) {
    set("cazi_tasks", { status }, figures.count[status]);
    set("cazi_tasks_oldest_seconds", { status }, figures.oldestMs[status] / 1000);
  }
  for (const state of ["running", "waiting"] as const)
    set("cazi_image_pulls", { state }, figures.pulls[state]);
  set("cazi_sinks_open", {}, live.ended.unsettledCount);
  set("cazi_queue_age_seconds", {}, figures.queueAgeMs / 1000);
  set("cazi_tasks_overdue", {}, figures.overdue);
  set("cazi_tasks_overdue_oldest_seconds", {}, figures.overdueMs / 1000);
}
