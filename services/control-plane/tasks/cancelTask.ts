import type { Task } from "../../../schemas/api/task.ts";
import { isRefusal } from "../../domain/refusal.ts";
import type { Who } from "../../domain/task/taskState.ts";
import { newId } from "../../kernel/ids.ts";
import type { TaskKey } from "../../kernel/ledger/taskLedger.ts";
import type { ApiPorts } from "../ports.ts";
import { rejectionOf } from "../submit/specRequest.ts";
import { findTaskInLedger } from "./findTask.ts";

/**
 * Cancels a task: at once where nothing can have started, else by asking its node. Asking again changes
 * nothing. Needs no Postgres.
 * @throws Rejection `TASK_NOT_FOUND`, `TASK_ERASED`, `TASK_ENDED` when it ended otherwise
 */
export async function cancelTask(
  ports: Pick<ApiPorts, "ledger" | "clock" | "hintNode" | "pendingReason">,
  key: TaskKey,
  by: { readonly who: Who; readonly reason: string | null },
): Promise<Task> {
  const at = ports.clock.now();
  const executed = await ports.ledger.execute(key, { kind: "cancel", id: newId(at), at, ...by });
  if (isRefusal(executed)) throw rejectionOf(executed);
  const { state } = executed;
  // Also when nothing was appended: the first hint may have been lost, and one more costs nothing.
  if ("node" in state && state.node !== null) ports.hintNode(state.node);
  return findTaskInLedger(ports, key);
}
