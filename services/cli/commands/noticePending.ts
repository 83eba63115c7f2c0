import { setTimeout as pause } from "node:timers/promises";
import type { ApiClient } from "../../kernel/client/apiClient.ts";
import type { CliContext } from "../context.ts";
import { isOver } from "./waitForEnd.ts";

/** A node takes a task within a second or so; after this long the user wants to know why none does. */
const pendingNoticeMs = 3_000;

/** Says on stderr why a task still waits for a node, and again when the reason changes, until `signal`. */
export async function noticePending(
  context: CliContext,
  client: ApiClient,
  id: string,
  signal: AbortSignal,
): Promise<void> {
  let said: string | null = null;
  try {
    for (;;) {
      await pause(pendingNoticeMs, undefined, { signal });
      const task = await client.getTask(id, { signal });
      if (isOver(task) || task.status !== "pending") return;
      if (task.pending_reason !== null && task.pending_reason !== said) {
        said = task.pending_reason;
        await context.output.message(`task ${id} is pending: ${said}`);
      }
    }
  } catch {
    // A courtesy: whatever fails here, the follower itself meets and reports.
  }
}
