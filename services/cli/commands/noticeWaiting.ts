import { setTimeout as pause } from "node:timers/promises";
import type { Task } from "../../../schemas/api/task.ts";
import type { ApiClient } from "../../kernel/client/apiClient.ts";
import type { CliContext } from "../context.ts";
import { pullText } from "../output/pullText.ts";
import { isOver } from "./waitForEnd.ts";

/** A node takes a task within a second or so; after this long the user wants to know why none does. */
const noticeEveryMs = 3_000;

/**
 * Says on stderr what a task waits for, a node, its image or its next attempt, and again when that changes, until its
 * last attempt runs or `signal`.
 */
export async function noticeWaiting(
  context: CliContext,
  client: ApiClient,
  id: string,
  signal: AbortSignal,
): Promise<void> {
  let said: string | null = null;
  try {
    for (;;) {
      await pause(noticeEveryMs, undefined, { signal });
      const task = await client.getTask(id, { signal });
      if (isOver(task) || (task.status === "running" && isLastAttempt(task))) return;
      const waits = waitsFor(task);
      if (waits !== null && waits !== said) {
        said = waits;
        await context.output.message(`task ${id} is ${said}`);
      }
    }
  } catch {
    // A courtesy: whatever fails here, the follower itself meets and reports.
  }
}

function isLastAttempt({ spec, retries_used }: Task): boolean {
  return retries_used >= spec.max_retries;
}

/** What a task that does not run waits for, as a part of a sentence; null where there is nothing to say. Pure. */
export function waitsFor({ status, pending_reason, pull, attempt, reason, not_before }: Task): string | null {
  if (status === "pending" && not_before !== null && attempt > 0) {
    return `pending: attempt ${attempt} ended (${reason}), the next one starts at ${not_before} or later`;
  }
  if (status === "pending") return pending_reason === null ? null : `pending: ${pending_reason.message}`;
  return pull === null || pull.finished_at !== null ? null : pullText(pull);
}
