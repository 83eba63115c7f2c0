import { SchedulingIndex } from "../../domain/scheduling/schedulingIndex.ts";
import type { LiveFold } from "./liveFold.ts";

const indices = new WeakMap<LiveFold["tasks"], SchedulingIndex>();

/**
 * What waits and what is placed in a fold of this process, kept up to date with it; one a fold, so that who asks why
 * a task waits sees the scheduler's reservations where both are one process.
 * @param pointMs waiting that weighs as much as one point of priority; the first caller's holds
 */
export function schedulingIndexOf(live: Pick<LiveFold, "tasks">, pointMs: number): SchedulingIndex {
  const known = indices.get(live.tasks);
  if (known) return known;
  const index = new SchedulingIndex(pointMs);
  for (const task of live.tasks.all()) index.changed(task.task, task);
  live.tasks.watch((task, now) => index.changed(task, now));
  indices.set(live.tasks, index);
  return index;
}
