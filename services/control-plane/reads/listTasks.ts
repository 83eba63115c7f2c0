import type { ListTasksQuery } from "../../../schemas/api/listTasks.ts";
import type { Page } from "../../../schemas/api/page.ts";
import type { TaskSummary } from "../../../schemas/api/task.ts";
import { withTag } from "../../domain/spec/imageReference.ts";
import type { DatabasePool } from "../../kernel/postgres/openPool.ts";
import { queryInTenant } from "../../kernel/postgres/transaction.ts";
import { fromCursor, toCursor } from "./keyset.ts";
import { summaryColumns, summaryOf, type TaskSummaryRow } from "./taskRow.ts";

/** What a filter asks of a row of `tasks`; parameters as {@link conditionValues} gives them. */
export const taskConditions = `tenant = $1
  AND ($2::text[] IS NULL OR status = ANY ($2))
  AND ($3::text IS NULL OR name = $3)
  AND ($4::jsonb = '{}' OR (labels @> $4 AND labels <> '{}'))
  AND ($5::text[] IS NULL OR labels ?& $5)
  AND ($6::text IS NULL OR spec_image = $6)
  AND ($7::text IS NULL OR node = $7)
  AND ($8::text IS NULL OR source = $8)
  AND ($9::text IS NULL OR source = $9)
  AND ($10::text IS NULL OR reason = $10)
  AND ($11::int IS NULL OR exit_code = $11)
  AND ($12::bigint IS NULL OR submitted_at >= $12)
  AND ($13::bigint IS NULL OR submitted_at < $13)
  AND ($14::bigint IS NULL OR finished_at >= $14)
  AND ($15::bigint IS NULL OR finished_at < $15)`;

/**
 * The values are known when this is planned, so a condition that is not asked for falls away, and a partial index,
 * such as that of labels, can be used.
 */
export const listTasksSql = `
SELECT ${summaryColumns} FROM tasks
WHERE ${taskConditions}
  AND ($16::bigint IS NULL OR (submitted_at, id) < ($16, $17))
ORDER BY submitted_at DESC, id DESC
LIMIT $18`;

/** A page of tasks, newest first. @throws Rejection `CURSOR_INVALID`; Retryable `DATABASE_UNAVAILABLE` */
export async function listTasks(
  pool: DatabasePool,
  tenant: string,
  query: ListTasksQuery,
): Promise<Page<TaskSummary>> {
  const rows = await queryInTenant<TaskSummaryRow>(
    pool,
    { role: "app", tenant },
    listTasksSql,
    listTasksValues(tenant, query),
  );
  const page = rows.slice(0, query.limit);
  const last = page.at(-1);
  const next = rows.length > query.limit && last ? toCursor(last.submitted_at, last.id) : null;
  return { data: page.map(summaryOf), next_cursor: next };
}

/** The parameters of {@link listTasksSql}. @throws Rejection `CURSOR_INVALID` */
export function listTasksValues(tenant: string, query: ListTasksQuery): unknown[] {
  const after = query.cursor === undefined ? [null, null] : fromCursor(query.cursor, ["number", "string"]);
  // One more than asked tells whether there is a next page.
  return [...conditionValues(tenant, query), ...after, query.limit + 1];
}

/** The parameters of {@link taskConditions}. */
export function conditionValues(
  tenant: string,
  query: Omit<ListTasksQuery, "limit" | "cursor" | "min_seq">,
): unknown[] {
  const { values, names } = labelConditions(query.label ?? []);
  return [
    tenant,
    query.status?.length ? query.status : null,
    textOrNull(query.name),
    JSON.stringify(values),
    names.length > 0 ? names : null,
    query.image === undefined ? null : withoutNul(withTag(query.image)),
    textOrNull(query.node),
    textOrNull(query.source),
    query.replay_of === undefined ? null : `replay:${withoutNul(query.replay_of)}`,
    textOrNull(query.reason),
    query.exit_code ?? null,
    msOrNull(query.submitted_after),
    msOrNull(query.submitted_before),
    msOrNull(query.finished_after),
    msOrNull(query.finished_before),
  ];
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

function textOrNull(text: string | undefined): string | null {
  return text === undefined ? null : withoutNul(text);
}

function msOrNull(time: string | undefined): number | null {
  return time === undefined ? null : Date.parse(time);
}

/** As the projector stores it; Postgres would refuse the query otherwise. */
function withoutNul(text: string): string {
  return text.replaceAll("\0", "\uFFFD");
}
