import type { LiveTask, LiveTasks } from "../domain/live/liveTasks.ts";

/**
 * The tasks that time asks something of: those on a lost node, and those whose `due_at` has passed. Pure.
 * @param isLost whether a node has been silent beyond limit and grace
 */
export function dueNow(seen: {
  readonly tasks: LiveTasks;
  readonly now: number;
  readonly isLost: (node: string) => boolean;
}): readonly { readonly task: LiveTask; readonly why: "due" | "lost" }[] {
  const { tasks, now, isLost } = seen;
  const lostNodes = new Set([...tasks.nodes()].filter((node) => tasks.countOn(node) > 0 && isLost(node)));
  const due: { task: LiveTask; why: "due" | "lost" }[] = [];
  for (const task of tasks.all()) {
    const { state } = task;
    const isDue = state.due_at !== null && state.due_at <= now;
    // What is due says more than that the node is lost (a timeout that nobody could confirm), so it goes first.
    if (isDue) due.push({ task, why: "due" });
    else if (state.node !== null && lostNodes.has(state.node)) due.push({ task, why: "lost" });
  }
  return due;
}
