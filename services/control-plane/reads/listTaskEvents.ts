import type { Page } from "../../../schemas/api/page.ts";
import type { ApiTaskEvent } from "../../../schemas/api/taskEvent.ts";
import type { TaskKey } from "../../kernel/ledger/taskLedger.ts";
import type { DatabasePool } from "../../kernel/postgres/openPool.ts";
import { queryInTenant } from "../../kernel/postgres/transaction.ts";
import { fromCursor, toCursor } from "./keyset.ts";
import { taskEventOf } from "./taskEventOf.ts";

export const listTaskEventsSql = `
SELECT epoch, seq, raw FROM ledger_events
WHERE tenant = $1 AND kind = 'task' AND aggregate = $2 AND (epoch, seq) > ($3, $4)
ORDER BY epoch, seq
LIMIT $5`;

/**
 * A page of a task's history as Postgres has it, oldest first.
 * @throws Rejection `CURSOR_INVALID`; Retryable `DATABASE_UNAVAILABLE`
 */
export async function listTaskEvents(
  pool: DatabasePool,
  { tenant, task }: TaskKey,
  query: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<Page<ApiTaskEvent>> {
  const after =
    query.cursor === undefined ? (["", 0] as const) : fromCursor(query.cursor, ["string", "number"]);
  const rows = await queryInTenant<{ epoch: string; seq: number; raw: Buffer }>(
    pool,
    { role: "app", tenant },
    listTaskEventsSql,
    [tenant, task, ...after, query.limit + 1],
  );
  const page = rows.slice(0, query.limit);
  const last = page.at(-1);
  return {
    data: page.map(({ seq, raw }) => taskEventOf(seq, raw)),
    next_cursor: rows.length > query.limit && last ? toCursor(last.epoch, last.seq) : null,
  };
}
