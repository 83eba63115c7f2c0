import type { Task } from "../../../schemas/api/task.ts";

/**
 * Why a task ended, where its own exit code does not say it; null where it does. Pure.
 */
export function endMessage(task: Task): string | null {
  const what = `task ${task.id}`;
  const more = task.message === null || task.message === "" ? "" : `: ${task.message}`;
  switch (task.status) {
    case "succeeded":
      return null;
    case "cancelled":
      return `${what} was cancelled${task.cancel?.reason ? `: ${task.cancel.reason}` : ""}`;
    case "blocked":
      return `${what} was blocked${more}`;
    case "failed":
      return failure(task, what, more);
    default:
      return `${what} is ${task.status}`;
  }
}

function failure(task: Task, what: string, more: string): string | null {
  switch (task.reason) {
    case "exit":
      return null;
    case "timeout":
    case "timeout_unconfirmed":
      return `${what} failed: ${task.reason}, it ran longer than its ${task.spec.timeout_seconds} s`;
    case "signal":
      return `${what} failed: signal ${task.signal}`;
    case "oom":
      return `${what} failed: oom, it used more than its ${task.spec.resources.memory} bytes of memory`;
    default:
      return `${what} failed: ${task.reason ?? "no reason was recorded"}${more}`;
  }
}
