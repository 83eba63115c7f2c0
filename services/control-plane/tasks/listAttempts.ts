import type { Attempt, ListAttemptsQuery } from "../../../schemas/api/attempt.ts";
import type { Page } from "../../../schemas/api/page.ts";
import type { TaskKey } from "../../kernel/ledger/taskLedger.ts";
import type { ApiPorts } from "../ports.ts";
import { locateInLedger } from "./findTask.ts";

/**
 * A page of a task's attempts. Where Postgres has none of them yet, what the ledger says of the task.
 * @throws Rejection `TASK_NOT_FOUND`, `TASK_ERASED`, `CURSOR_INVALID`
 */
export async function listAttempts(
  ports: Pick<ApiPorts, "reads" | "ledger" | "pendingReason">,
  key: TaskKey,
  query: ListAttemptsQuery,
): Promise<Page<Attempt>> {
  const page = await ports.reads.listAttempts(key, query);
  if (page.data.length > 0 || query.cursor !== undefined) return page;
  const { task } = await locateInLedger(ports, key);
  return { data: task.attempts.slice(0, query.limit), next_cursor: null };
}
