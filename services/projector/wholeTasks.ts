import { decodeTaskEvent } from "../../schemas/taskEvents.ts";
import { terminalEventTypes } from "../domain/task/taskEvent.ts";
import type { StoredEvent } from "../kernel/ledger/storedEvent.ts";
import { arrayLiteral } from "../kernel/postgres/arrayLiteral.ts";
import type { Queryable } from "../kernel/postgres/transaction.ts";
import { type Projection, project } from "./project.ts";
import { taskIntentRow, taskStateRow } from "./taskRow.ts";

/** A part of the copy that is complete and changes no more. */
export interface CopyPart {
  readonly shard: number;
  readonly epoch: string;
  /** Sequence of its last event. */
  readonly end: number;
}

/** A task as its first and last event in the copy. */
export interface TaskOfCopy {
  readonly first_seq: number;
  readonly subject: string;
  readonly first_raw: Buffer;
  readonly seq: number;
  /** Null where the first event is the last. */
  readonly last_raw: Buffer | null;
  /** Something follows the task's end. */
  readonly went_on: boolean;
}

const tasksSql = `
SELECT first.seq AS first_seq, first.subject, first.raw AS first_raw, last.seq,
  CASE WHEN last.seq > first.seq THEN last.raw END AS last_raw,
  last.type <> ALL($6::text[]) AND EXISTS (
    SELECT FROM ledger_events AS ended
    WHERE ended.tenant = first.tenant AND ended.kind = first.kind AND ended.aggregate = first.aggregate
      AND ended.type IN ('blocked', 'succeeded', 'failed', 'cancelled')
  ) AS went_on
FROM (
  SELECT seq, subject, raw, tenant, kind, aggregate FROM ledger_events
  WHERE shard = $1 AND epoch = $2 AND seq > $3 AND seq <= $4 AND type IN ('submitted', 'blocked')
  ORDER BY seq LIMIT $5
) AS first
CROSS JOIN LATERAL (
  SELECT seq, type, raw FROM ledger_events AS one
  WHERE one.tenant = first.tenant AND one.kind = first.kind AND one.aggregate = first.aggregate
    AND one.epoch = $2 AND one.seq <= $4
  ORDER BY one.seq DESC LIMIT 1
) AS last
ORDER BY first.seq`;

const historySql = `
SELECT seq, subject, raw FROM ledger_events WHERE shard = $1 AND epoch = $2 AND subject = $3 AND seq >= $4 AND seq <= $5
  AND tenant = $6 AND kind = 'task' AND aggregate = $7
ORDER BY seq`;

/** Tasks of a part in the order of their first events, some at a time. */
export interface TasksOfCopy {
  readonly tasks: readonly TaskOfCopy[];
  /** Sequence after which the next ones begin; null when there are no more. */
  readonly after: number | null;
}

/** Reads the first and the last event of each of the next tasks. */
export async function readWholeTasks(
  client: Queryable,
  part: CopyPart,
  from: { readonly after: number; readonly max: number },
): Promise<TasksOfCopy> {
  const { rows } = await client.query<TaskOfCopy>(tasksSql, [
    part.shard,
    part.epoch,
    from.after,
    part.end,
    from.max,
    terminalTypes,
  ]);
  return { tasks: rows, after: rows.length < from.max ? null : rows.at(-1)!.first_seq };
}

const terminalTypes = arrayLiteral([...terminalEventTypes]);

/**
 * The rows of tasks that nothing follows the end of. A row is a function of the task's first and last event, so that
 * what lies between is not even read.
 */
export function projectWholeTasks(tasks: readonly TaskOfCopy[]): Projection {
  const created = tasks.flatMap((task) => (task.went_on ? [] : rowOf(task)));
  return { copied: [], conflicts: [], created, changed: [], erased: [] };
}

/** The rows of the others, folded from all of their events: they may build on a second end (INV-ONE-END). */
export async function foldWholeTasks(
  client: Queryable,
  part: CopyPart,
  tasks: readonly TaskOfCopy[],
): Promise<readonly Projection[]> {
  const folds: Projection[] = [];
  for (const task of tasks) if (task.went_on) folds.push(await folded(client, part, task));
  return folds;
}

function rowOf({ first_raw, last_raw, seq }: TaskOfCopy): Projection["created"] {
  const first = decodeTaskEvent(first_raw);
  const { state } = last_raw === null ? first : decodeTaskEvent(last_raw);
  const { tenant, task: id, body, at } = first;
  if (state.status === "erased" || (body.type !== "submitted" && body.type !== "blocked")) return [];
  return [{ ...taskStateRow({ tenant, id, seq }, state), ...taskIntentRow(body, at) }];
}

async function folded(client: Queryable, part: CopyPart, task: TaskOfCopy): Promise<Projection> {
  const { tenant, task: id } = decodeTaskEvent(task.first_raw);
  const { rows } = await client.query<{ seq: number; subject: string; raw: Buffer }>(historySql, [
    part.shard,
    part.epoch,
    task.subject,
    task.first_seq,
    part.end,
    tenant,
    id,
  ]);
  return project(
    rows.map(
      ({ seq, subject, raw }): StoredEvent => ({ seq, subject, bytes: raw, event: decodeTaskEvent(raw) }),
    ),
  );
}
