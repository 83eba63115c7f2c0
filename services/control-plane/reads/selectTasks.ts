import { type BulkAction, type BulkFilter, bulkShownMax, bulkTasksMax } from "../../../schemas/api/bulk.ts";
import type { Page } from "../../../schemas/api/page.ts";
import type { TaskSummary } from "../../../schemas/api/task.ts";
import { decodeTaskEvent } from "../../../schemas/taskEvents.ts";
import { DEFAULT_SHARD } from "../../../streams/streams.ts";
import { isLive, type TaskState } from "../../domain/task/taskState.ts";
import type { DatabasePool } from "../../kernel/postgres/openPool.ts";
import { queryInTenant } from "../../kernel/postgres/transaction.ts";
import { fromCursor, toCursor } from "./keyset.ts";
import { conditionValues, taskConditions } from "./listTasks.ts";
import { summaryColumns, summaryOf, type TaskSummaryRow } from "./taskRow.ts";

/** What may be done to a task in its state: only what lives is cancelled, only what ran or was given up is replayed. */
const actionCondition: Readonly<Record<BulkAction, string>> = {
  cancel: "finished_at IS NULL",
  replay: "status IN ('succeeded', 'failed', 'cancelled')",
};

/** The matching tasks and the position of the ledger that they are of: one statement sees one moment. */
const previewSql = (action: BulkAction) => `
WITH matching AS (
  SELECT ${summaryColumns} FROM tasks
  WHERE ${taskConditions} AND ${actionCondition[action]}
  ORDER BY submitted_at DESC, id DESC LIMIT ${bulkTasksMax + 1}
)
SELECT
  coalesce((SELECT seq FROM checkpoints WHERE shard = ${DEFAULT_SHARD}), 0) AS seq,
  (SELECT count(*)::int FROM matching) AS count,
  (SELECT coalesce(json_agg(one), '[]') FROM (
    SELECT * FROM matching ORDER BY submitted_at DESC, id DESC LIMIT ${bulkShownMax}
  ) AS one) AS tasks`;

export interface PreviewedSelection {
  /** Sequence of the ledger's event that the read models have got to. */
  readonly seq: number;
  /** One more than may be selected, where more match. */
  readonly count: number;
  /** The newest. */
  readonly tasks: readonly TaskSummary[];
}

/** The tasks that an action would be done to now. @throws Retryable `DATABASE_UNAVAILABLE` */
export async function previewSelection(
  pool: DatabasePool,
  tenant: string,
  of: { readonly action: BulkAction; readonly filter: BulkFilter },
): Promise<PreviewedSelection> {
  const [row] = await queryInTenant<{ seq: number; count: number; tasks: readonly TaskSummaryRow[] }>(
    pool,
    { role: "app", tenant },
    previewSql(of.action),
    conditionValues(tenant, of.filter),
  );
  return { seq: row!.seq, count: row!.count, tasks: row!.tasks.map(summaryOf) };
}

/** A task of a selection: enough to act on. */
export interface SelectedTask {
  readonly id: string;
  readonly source: string;
}

const AFTER = 16;
const pageEnd = `
  AND ($${AFTER}::bigint IS NULL OR (submitted_at, id) < ($${AFTER}, $${AFTER + 1}))
ORDER BY submitted_at DESC, id DESC LIMIT $${AFTER + 2}`;
const ofTask = "of.tenant = tasks.tenant AND of.kind = 'task' AND of.aggregate = tasks.id";

/** What a task that is over is selected by never changes, so it matched at a position if it was over by then. */
const overSql = `
SELECT id, source, submitted_at, NULL::bytea AS past_raw FROM tasks
WHERE ${taskConditions} AND ${actionCondition.replay}
  AND EXISTS (
    SELECT FROM ledger_events AS of WHERE ${ofTask} AND of.seq <= $${AFTER + 3}
      AND of.type IN ('blocked', 'succeeded', 'failed', 'cancelled')
  )${pageEnd}`;

/** Of one that lives also the event that it showed at the position: its status and node were those. */
const liveSql = `
SELECT id, source, submitted_at, past.raw AS past_raw FROM tasks
CROSS JOIN LATERAL (
  SELECT raw FROM ledger_events AS of WHERE ${ofTask} AND of.seq <= $${AFTER + 3} ORDER BY of.seq DESC LIMIT 1
) AS past
WHERE ${taskConditions} AND ${actionCondition.cancel}${pageEnd}`;

/**
 * The next tasks of a selection, newest first: those that its filter matched at `asOf`, and to which the action can still
 * be done. A page may have fewer than `limit`, or none, and go on.
 * @throws Rejection `CURSOR_INVALID`; Retryable `DATABASE_UNAVAILABLE`
 */
export async function selectionPage(
  pool: DatabasePool,
  tenant: string,
  of: {
    readonly action: BulkAction;
    readonly filter: BulkFilter;
    readonly asOf: number;
    readonly limit: number;
    readonly cursor?: string | undefined;
  },
): Promise<Page<SelectedTask>> {
  const { action, filter, asOf, limit, cursor } = of;
  const after = cursor === undefined ? [null, null] : fromCursor(cursor, ["number", "string"]);
  const now = action === "cancel" ? lasting(filter) : filter;
  const rows = await queryInTenant<SelectedTask & { submitted_at: number; past_raw: Buffer | null }>(
    pool,
    { role: "app", tenant },
    action === "cancel" ? liveSql : overSql,
    [...conditionValues(tenant, now), ...after, limit + 1, asOf],
  );
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    data: page
      .filter(({ past_raw }) => past_raw === null || matched(decodeTaskEvent(past_raw).state, filter))
      .map(({ id, source }) => ({ id, source })),
    next_cursor: rows.length > limit && last ? toCursor(last.submitted_at, last.id) : null,
  };
}

/** The conditions on what never changes while a task lives. */
function lasting(filter: BulkFilter): BulkFilter {
  const { status: _status, node: _node, reason: _reason, exit_code: _exit, ...rest } = filter;
  return rest;
}

/** The others, on the state that a living task had. */
function matched(state: TaskState, { status, node, reason, exit_code }: BulkFilter): boolean {
  if (!isLive(state)) return false;
  return (
    (status === undefined || status.length === 0 || status.includes(state.status)) &&
    (node === undefined || state.node === node) &&
    (reason === undefined || state.reason === reason) &&
    (exit_code === undefined || state.exit_code === exit_code)
  );
}
