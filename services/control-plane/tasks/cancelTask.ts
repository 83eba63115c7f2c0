import { isRefusal } from "../../domain/refusal.ts";
import type { Who } from "../../domain/task/taskState.ts";
import { newId } from "../../kernel/ids.ts";
import type { TaskKey } from "../../kernel/ledger/taskLedger.ts";
import type { ApiPorts, LocatedTask } from "../ports.ts";
import { rejectionOf } from "../submit/specRequest.ts";
import { locateInLedger } from "./findTask.ts";

/**
 * Cancels a task: at once where nothing can have started, else by asking its node. Asking again changes
 * nothing. Needs no Postgres.
 * @param by.only the sequence of the task's last event that the caller knows; null where it does not matter
 * @throws Rejection `PRECONDITION_FAILED`, `TASK_NOT_FOUND`, `TASK_ERASED`, `TASK_ENDED` when it ended otherwise
 */
export async function cancelTask(
  ports: Pick<ApiPorts, "ledger" | "clock" | "hintNode" | "pendingReason">,
  key: TaskKey,
  by: { readonly who: Who; readonly reason: string | null; readonly only: number | null },
): Promise<LocatedTask> {
  const at = ports.clock.now();
  const { only, ...asked } = by;
  const command = { kind: "cancel", id: newId(at), at, ...asked } as const;
  const executed = await ports.ledger.execute(key, command, null, only ?? undefined);
  if (isRefusal(executed)) throw rejectionOf(executed);
  const { state } = executed;
  // Also when nothing was appended: the first hint may have been lost, and one more costs nothing.
  if ("node" in state && state.node !== null) ports.hintNode(state.node);
  return locateInLedger(ports, key);
}
