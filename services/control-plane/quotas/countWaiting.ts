import type { LiveTasks } from "../../domain/live/liveTasks.ts";

/** How many tasks of a tenant wait for a node, kept up with the fold. */
export function countWaiting(tasks: Pick<LiveTasks, "pending" | "watch">): (tenant: string) => number {
  const counts = new Map<string, number>();
  const waiting = new Map<string, string>();
  const add = (tenant: string, change: 1 | -1) => {
    const count = (counts.get(tenant) ?? 0) + change;
    if (count === 0) counts.delete(tenant);
    else counts.set(tenant, count);
  };
  const see = (task: string, tenant: string | null) => {
    const before = waiting.get(task);
    if (before !== undefined) add(before, -1);
    if (tenant === null) waiting.delete(task);
    else {
      waiting.set(task, tenant);
      add(tenant, 1);
    }
  };
  for (const { task, tenant } of tasks.pending()) see(task, tenant);
  tasks.watch((task, now) => see(task, now?.state.status === "pending" ? now.tenant : null));
  return (tenant) => counts.get(tenant) ?? 0;
}
