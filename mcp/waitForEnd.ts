/** Waiting for a task's end, and telling how it goes. */
import type { Task } from "../schemas/api/task.ts";
import type { ApiClient } from "../services/kernel/client/apiClient.ts";
import type { Call } from "./call.ts";
import { progressEveryMs, progressSliceSeconds } from "./limits.ts";
import { isDone } from "./taskResult.ts";

/**
 * The task when it is over, or as it is after `seconds`. A caller that asked for progress is told of the status at
 * once, of each change, and now and then that the wait goes on; one that did not costs one request.
 */
export async function waitForEnd(
  client: ApiClient,
  of: { readonly id: string; readonly seconds: number },
  call: Call,
): Promise<Task> {
  const { id, seconds } = of;
  const { signal, progress, clock } = call;
  if (progress === null) return client.getTask(id, { waitSeconds: seconds, signal });
  const began = clock.monotonicMs();
  let told = { status: "", atMs: 0 };
  for (let waitSeconds = 0; ; ) {
    const task = await client.getTask(id, { waitSeconds, signal });
    const elapsedMs = clock.monotonicMs() - began;
    if (task.status !== told.status || elapsedMs - told.atMs >= progressEveryMs) {
      await progress({ progress: elapsedMs / 1000, total: seconds, message: notice(task, elapsedMs) });
      told = { status: task.status, atMs: elapsedMs };
    }
    const leftSeconds = seconds - elapsedMs / 1000;
    if (isDone(task) || leftSeconds <= 0) return task;
    waitSeconds = Math.min(progressSliceSeconds, Math.ceil(leftSeconds));
  }
}

/** `running on local, attempt 1, waited 3 s`. */
function notice(task: Task, elapsedMs: number): string {
  const where = task.node === null ? "" : ` on ${task.node}, attempt ${task.attempt}`;
  const why = task.pending_reason === null ? "" : `: ${task.pending_reason.message}`;
  return `${task.status}${where}${why}, waited ${Math.floor(elapsedMs / 1000)} s`;
}
