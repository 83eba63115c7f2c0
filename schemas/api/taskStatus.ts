import { z } from "zod";

/** The statuses that a task of the API has. An erased task has none: it answers 410 `TASK_ERASED`. */
export const taskStatuses = [
  "pending",
  "scheduled",
  "claimed",
  "running",
  "succeeded",
  "failed",
  "cancelled",
  "blocked",
] as const;

export const taskStatus = z
  .enum(taskStatuses)
  .describe("Where the task is; succeeded, failed, cancelled and blocked are terminal.");
export type ApiTaskStatus = z.output<typeof taskStatus>;

const TERMINAL: ReadonlySet<string> = new Set(["succeeded", "failed", "cancelled", "blocked"]);

/** True when nothing can happen to a task of this status any more, but sinks and erasure. */
export function isTerminalStatus(status: string): boolean {
  return TERMINAL.has(status);
}
