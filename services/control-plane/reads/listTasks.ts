import type { ListTasksQuery } from "../../../schemas/api/listTasks.ts";
import type { Page } from "../../../schemas/api/page.ts";
import type { TaskSummary } from "../../../schemas/api/task.ts";
import type { DatabasePool } from "../../kernel/postgres/openPool.ts";
import { queryInTenant } from "../../kernel/postgres/transaction.ts";
import { fromCursor, toCursor } from "./keyset.ts";
import { summaryColumns, summaryOf, type TaskSummaryRow } from "./taskRow.ts";

/**
 * The values are known when this is planned, so a condition that is not asked for falls away, and the label index,
 * which leaves out tasks without labels, can be used.
 */
export const listTasksSql = `
SELECT ${summaryColumns} FROM tasks
WHERE tenant = $1
  AND ($2::text[] IS NULL OR status = ANY ($2))
  AND ($3::text IS NULL OR name = $3)
  AND ($4::jsonb = '{}' OR (labels @> $4 AND labels <> '{}'))
  AND ($5::text[] IS NULL OR labels ?& $5)
  AND ($6::bigint IS NULL OR (submitted_at, id) < ($6, $7))
ORDER BY submitted_at DESC, id DESC
LIMIT $8`;

/** A page of tasks, newest first. @throws Rejection `CURSOR_INVALID`; Retryable `DATABASE_UNAVAILABLE` */
export async function listTasks(
  pool: DatabasePool,
  tenant: string,
  query: ListTasksQuery,
): Promise<Page<TaskSummary>> {
  const after = query.cursor === undefined ? [null, null] : fromCursor(query.cursor, ["number", "string"]);
  const { values, names } = labelConditions(query.label ?? []);
  const rows = await queryInTenant<TaskSummaryRow>(pool, { role: "app", tenant }, listTasksSql, [
    tenant,
    query.status?.length ? query.status : null,
    query.name === undefined ? null : withoutNul(query.name),
    JSON.stringify(values),
    names.length > 0 ? names : null,
    ...after,
    // One more than asked tells whether there is a next page.
    query.limit + 1,
  ]);
  const page = rows.slice(0, query.limit);
  const last = page.at(-1);
  const next = rows.length > query.limit && last ? toCursor(last.submitted_at, last.id) : null;
  return { data: page.map(summaryOf), next_cursor: next };
}

/** `name=value` asks for the value, `name` for the label. */
function labelConditions(labels: readonly string[]): { values: Record<string, string>; names: string[] } {
  const pairs = labels.map((label) => /^([^=]*)(?:=(.*))?$/s.exec(label)!);
  const values = pairs
    .filter((pair) => pair[2] !== undefined)
    .map((pair) => [pair[1]!, withoutNul(pair[2]!)]);
  return {
    values: Object.fromEntries(values) as Record<string, string>,
    names: pairs.filter((pair) => pair[2] === undefined).map((pair) => pair[1]!),
  };
}

/** As the projector stores it; Postgres would refuse the query otherwise. */
function withoutNul(text: string): string {
  return text.replaceAll("\0", "\uFFFD");
}
