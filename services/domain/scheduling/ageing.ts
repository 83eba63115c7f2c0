/**
 * How waiting weighs against priority and against shares. One measure for both: a *point* is a fixed time (ten
 * seconds unless set otherwise), and a task gains one for each that it has waited.
 *
 *     effective priority = priority + floor(waited / point)
 *
 * Since all tasks gain alike, the order of two tasks never changes while they wait. So the order is by a level that
 * is known when the wait begins, and no pass sorts anything:
 *
 *     level = floor(waiting since / point) - priority      (lower goes first)
 *
 * Bound: a task of priority p is passed by tasks of its tenant of priority q only if these began to wait less than
 * (q - p + 1) points after it; at the widest, 201 points: 33.5 minutes of ten-second points.
 */
import type { PendingTask } from "../task/taskState.ts";

/** @param waitsSince milliseconds since 1970 */
export function levelOf(waitsSince: number, priority: number, pointMs: number): number {
  return Math.floor(waitsSince / pointMs) - priority;
}

/**
 * Whose turn it is between tenants: the least goes first. It is the slots that a tenant has in use, less one for each
 * point that its next task has waited unserved; so shares even out, and no tenant waits longer for its next slot
 * than as many points as it has slots more than the others.
 * @param waitedMs since the later of the beginning of the task's wait and the tenant's last turn
 */
export function turnOf(slots: number, waitedMs: number, pointMs: number): number {
  return slots - Math.floor(Math.max(0, waitedMs) / pointMs);
}

/**
 * Whether a task that has waited so long for room that no node has at once gets a node kept for it: smaller tasks
 * would else fill each gap for ever. Half of the time it does, in turns that double, the first after six points: a
 * task that fits only beside what runs for days does not idle a node for days, and one that waits for tasks of an
 * hour gets an hour without new ones within four.
 */
export function keepsNode(waitedMs: number, pointMs: number): boolean {
  const turns = waitedMs / (KEEP_AFTER_POINTS * pointMs);
  return turns >= 1 && turns < 1.5 * 2 ** Math.floor(Math.log2(turns));
}

const KEEP_AFTER_POINTS = 6;

/**
 * When a task's wait began, in milliseconds since 1970. An offer that came back keeps its task's place; one that is
 * tried again waits anew, from when it may be tried.
 * @param since when it became pending
 */
export function waitsSince(state: PendingTask, since: number): number {
  const triedBefore = state.retries_used + state.unstarted > 0;
  return triedBefore ? Math.max(since, state.not_before ?? 0) : state.submitted_at;
}
