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
  /** Its rows take more than these two events: something follows its end, or it had attempts that did not end it. */
  readonly needs_all: boolean;
  /** Of its only attempt. */
  readonly scheduled_at: number | null;
  readonly claimed_at: number | null;
}

const tasksSql = `
SELECT first.seq AS first_seq, first.subject, first.raw AS first_raw, last.seq,
  CASE WHEN last.seq > first.seq THEN last.raw END AS last_raw,
  times.scheduled_at, times.claimed_at,
  times.over > 0 OR (last.type <> ALL($6::text[]) AND EXISTS (
    SELECT FROM ledger_events AS ended
    WHERE ended.tenant = first.tenant AND ended.kind = first.kind AND ended.aggregate = first.aggregate
      AND ended.type IN ('blocked', 'succeeded', 'failed', 'cancelled')
  )) AS needs_all
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
CROSS JOIN LATERAL (
  SELECT max(one.at) FILTER (WHERE one.type = 'scheduled') AS scheduled_at,
    max(one.at) FILTER (WHERE one.type = 'claimed') AS claimed_at,
    count(*) FILTER (WHERE one.type IN ('returned', 'retrying')) AS over
  FROM ledger_events AS one
  WHERE one.tenant = first.tenant AND one.kind = first.kind AND one.aggregate = first.aggregate
    AND one.epoch = $2 AND one.seq <= $4 AND one.type IN ('scheduled', 'claimed', 'returned', 'retrying')
) AS times
ORDER BY first.seq`;

const historiesSql = `
SELECT copy.seq, copy.subject, copy.raw
FROM unnest($4::text[], $5::text[], $6::bigint[]) AS wanted (tenant, aggregate, first_seq)
JOIN ledger_events AS copy ON copy.tenant = wanted.tenant AND copy.kind = 'task' AND copy.aggregate = wanted.aggregate
WHERE copy.shard = $1 AND copy.epoch = $2 AND copy.seq >= wanted.first_seq AND copy.seq <= $3
ORDER BY copy.seq`;

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
 * The rows of tasks that are a function of their first and last event, so that what lies between is not even decoded:
 * all but those that {@link foldWholeTasks} makes.
 */
export function projectWholeTasks(tasks: readonly TaskOfCopy[]): Projection {
  const created = tasks.flatMap((task) => (task.needs_all ? [] : rowOf(task)));
  return { copied: [], passedOver: 0, conflicts: [], created, changed: [], attempts: [], erased: [] };
}

/** Tasks whose whole histories are in memory at once. */
const FOLDED_AT_ONCE = 100;

/** The rows of the others, from all of their events: they had several attempts, or build on a second end (INV-ONE-END). */
export async function foldWholeTasks(
  client: Queryable,
  part: CopyPart,
  tasks: readonly TaskOfCopy[],
): Promise<readonly Projection[]> {
  const left = tasks.filter((task) => task.needs_all);
  const folds: Projection[] = [];
  for (let from = 0; from < left.length; from += FOLDED_AT_ONCE) {
    folds.push(await folded(client, part, left.slice(from, from + FOLDED_AT_ONCE)));
  }
  return folds;
}

function rowOf({ first_raw, last_raw, seq, ...times }: TaskOfCopy): Projection["created"] {
  const first = decodeTaskEvent(first_raw);
  const { state } = last_raw === null ? first : decodeTaskEvent(last_raw);
  const { tenant, task: id, body, at } = first;
  if (state.status === "erased" || (body.type !== "submitted" && body.type !== "blocked")) return [];
  return [{ ...taskStateRow({ tenant, id, seq }, state, times), ...taskIntentRow(body, at) }];
}

async function folded(client: Queryable, part: CopyPart, tasks: readonly TaskOfCopy[]): Promise<Projection> {
  const firsts = tasks.map(({ first_raw }) => decodeTaskEvent(first_raw));
  const { rows } = await client.query<{ seq: number; subject: string; raw: Buffer }>(historiesSql, [
    part.shard,
    part.epoch,
    part.end,
    arrayLiteral(firsts.map((event) => event.tenant)),
    arrayLiteral(firsts.map((event) => event.task)),
    arrayLiteral(tasks.map((task) => task.first_seq)),
  ]);
  return project(
    rows.map(
      ({ seq, subject, raw }): StoredEvent => ({ seq, subject, bytes: raw, event: decodeTaskEvent(raw) }),
    ),
  );
}
