import type { Task } from "../../../schemas/api/task.ts";
import type { ApiClient } from "../../kernel/client/apiClient.ts";
import type { Clock } from "../../kernel/clock.ts";

/** The API's longest wait. Not imported: it would load the schema library into every call. */
const waitSecondsMax = 50;

/** True when the task is over: only then has it an end's time. */
export function isOver(task: Pick<Task, "finished_at">): boolean {
  return task.finished_at !== null;
}

/**
 * Waits for the task's end.
 * @param options.limitMs gives the task as it is after this long
 */
export async function waitForEnd(
  client: ApiClient,
  id: string,
  options: { readonly clock: Clock; readonly limitMs?: number; readonly signal?: AbortSignal },
): Promise<Task> {
  const { clock, limitMs = Number.POSITIVE_INFINITY, signal } = options;
  const deadline = clock.monotonicMs() + limitMs;
  for (;;) {
    const leftSeconds = Math.max(0, Math.ceil((deadline - clock.monotonicMs()) / 1000));
    const task = await client.getTask(id, {
      waitSeconds: Math.min(waitSecondsMax, leftSeconds),
      ...(signal && { signal }),
    });
    if (isOver(task) || clock.monotonicMs() >= deadline) return task;
  }
}
