import type { Attempt } from "../../../schemas/api/attempt.ts";
import type { Page } from "../../../schemas/api/page.ts";
import type { TaskKey } from "../../kernel/ledger/taskLedger.ts";
import type { DatabasePool } from "../../kernel/postgres/openPool.ts";
import { queryInTenant } from "../../kernel/postgres/transaction.ts";
import { type AttemptRow, attemptColumns, attemptOfRow, shownAttemptColumns } from "./attemptRow.ts";
import { fromCursor, toCursor } from "./keyset.ts";

const names = `attempt, fence, node, ended_by, reason, message, uses_retry, not_before, scheduled_at, claimed_at,
  started_at, finished_at, exit_code, signal, oom_killed, image_ref, image_repo_digest, image_id, stdout_stored,
  stdout_dropped, stderr_stored, stderr_dropped, pull`;

export const listAttemptsSql = `
SELECT ${names} FROM (
  (SELECT ${attemptColumns} FROM attempts WHERE tenant = $1 AND task = $2 AND attempt > $3 ORDER BY attempt LIMIT $4)
  UNION ALL
  SELECT ${shownAttemptColumns} FROM tasks WHERE tenant = $1 AND id = $2 AND attempt > $3 AND fence IS NOT NULL
) AS one
ORDER BY attempt
LIMIT $4`;

/**
 * A page of a task's attempts as Postgres has them, oldest first.
 * @throws Rejection `CURSOR_INVALID`; Retryable `DATABASE_UNAVAILABLE`
 */
export async function listAttempts(
  pool: DatabasePool,
  { tenant, task }: TaskKey,
  query: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<Page<Attempt>> {
  const after = query.cursor === undefined ? 0 : fromCursor(query.cursor, ["string", "number"])[1];
  const rows = await queryInTenant<AttemptRow>(pool, { role: "app", tenant }, listAttemptsSql, [
    tenant,
    task,
    after,
    query.limit + 1,
  ]);
  const page = rows.slice(0, query.limit);
  const last = page.at(-1);
  return {
    data: page.map(attemptOfRow),
    next_cursor: rows.length > query.limit && last ? toCursor("attempt", last.attempt) : null,
  };
}
