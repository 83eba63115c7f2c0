import { parseLedgerSubject } from "../../streams/subjects.ts";
import { invariant } from "../kernel/errors.ts";
import type { StoredEvent } from "../kernel/ledger/storedEvent.ts";
import { arrayLiteral } from "../kernel/postgres/arrayLiteral.ts";
import type { DatabasePool } from "../kernel/postgres/openPool.ts";
import { queryInTenant } from "../kernel/postgres/transaction.ts";
import type { Conflict, Projection } from "./project.ts";
import { afterTaskParts, arraysOf, erasedRows, taskParts, taskValues, unnest } from "./taskStatements.ts";

const copyColumns = {
  tenant: "text",
  kind: "text",
  aggregate: "text",
  type: "text",
  seq: "bigint",
  subject: "text",
  event_id: "text",
  at: "bigint",
  // Where the event's bytes are in the one parameter that holds them all.
  raw_from: "int",
  raw_bytes: "int",
} as const;
const conflictColumns = { ...copyColumns, violates: "text" } as const;

const SHARD = afterTaskParts;
const EPOCH = SHARD + 1;
const OLD_SEQ = SHARD + 2;
const NEW_SEQ = SHARD + 3;
const NEW_EVENT_ID = SHARD + 4;
const RAW = SHARD + 5;
const CONFLICT_RAW = SHARD + 6;
const ERASED_SUBJECTS = SHARD + 7;
const PASSED_OVER = SHARD + 8;
const COPIED = SHARD + 9;
const CONFLICTS = COPIED + Object.keys(copyColumns).length;

const stored = "tenant, kind, aggregate, type, shard, epoch, seq, subject, event_id, at, raw";
const selected = (raw: number) => `
    tenant, kind, aggregate, type, $${SHARD}, $${EPOCH}, seq, subject, event_id, at,
    substring($${raw}::bytea FROM raw_from FOR raw_bytes)`;

/**
 * One batch, whole or not at all, in one round trip. `moved` is the guard: it has a row only if the checkpoint is
 * where the writer read it, and everything else reads `moved`; a second projector waits on the row, finds it
 * changed and writes nothing. The raw bytes travel as one binary parameter that is cut up here: an array of
 * `bytea` would go as doubled and escaped hex.
 *
 * Of an erased task nothing stays in the copy, nor among what repairs put aside, but its tombstone, which this very
 * statement may bring. How many events went is counted: a ledger that has as many less is not damaged.
 */
export const writeBatchSql = `
WITH moved AS (
  UPDATE checkpoints SET seq = $${NEW_SEQ}::bigint, event_id = $${NEW_EVENT_ID}::text
  WHERE shard = $${SHARD}::int AND epoch = $${EPOCH}::text AND seq = $${OLD_SEQ}::bigint
  RETURNING shard
),
copied AS (
  INSERT INTO ledger_events (${stored})
  SELECT ${selected(RAW)} FROM moved, ${unnest(copyColumns, COPIED)}
),
conflicts AS (
  INSERT INTO ledger_conflicts (${stored}, violates)
  SELECT ${selected(CONFLICT_RAW)}, violates FROM moved, ${unnest(conflictColumns, CONFLICTS)}
),
removed AS (
  DELETE FROM ledger_events AS gone USING moved, ${erasedRows}
  WHERE gone.tenant = row.tenant AND gone.kind = 'task' AND gone.aggregate = row.id AND gone.type <> 'erased'
  RETURNING 1
),
removed_conflicts AS (
  DELETE FROM ledger_conflicts AS gone USING moved WHERE gone.subject = ANY($${ERASED_SUBJECTS}::text[]) RETURNING 1
),
removed_survivors AS (
  DELETE FROM ledger_survivors AS gone USING moved WHERE gone.subject = ANY($${ERASED_SUBJECTS}::text[])
),
counted AS (
  INSERT INTO erased_copies (shard, events)
  SELECT $${SHARD}::int, $${PASSED_OVER}::bigint + (SELECT count(*) FROM removed) + (SELECT count(*) FROM removed_conflicts)
  FROM moved WHERE cardinality($${ERASED_SUBJECTS}::text[]) > 0
  ON CONFLICT (shard) DO UPDATE SET events = erased_copies.events + excluded.events
),${taskParts}
SELECT count(*)::int AS written FROM moved`;

/** Where the checkpoint has to be, and where it goes. */
export interface CheckpointMove {
  readonly shard: number;
  readonly epoch: string;
  readonly fromSeq: number;
  readonly to: { readonly seq: number; readonly eventId: string };
}

/**
 * Writes a projection and moves the checkpoint.
 * @returns false when the checkpoint was not at `fromSeq`: somebody else wrote, and nothing was written here
 * @throws Retryable `DATABASE_UNAVAILABLE`: unknown, read the checkpoint; a database error with the name of the
 * violated constraint
 */
export async function writeBatch(
  pool: DatabasePool,
  move: CheckpointMove,
  projection: Projection,
): Promise<boolean> {
  const copies = copyRows(projection.copied);
  const conflicts = copyRows(projection.conflicts.map((one) => one.stored));
  const rows = await queryInTenant<{ written: number }>(
    pool,
    { role: "projector", tenant: null },
    writeBatchSql,
    [
      ...taskValues(projection),
      move.shard,
      move.epoch,
      move.fromSeq,
      move.to.seq,
      move.to.eventId,
      copies.raw,
      conflicts.raw,
      arrayLiteral(projection.erased.map((one) => one.subject)),
      projection.passedOver,
      ...arraysOf(copyColumns, copies.rows),
      ...arraysOf(conflictColumns, withViolations(conflicts.rows, projection.conflicts)),
    ],
  );
  return rows[0]!.written === 1;
}

type CopyRow = Record<keyof typeof copyColumns, string | number>;

function copyRows(events: readonly StoredEvent[]): { rows: CopyRow[]; raw: Buffer } {
  let from = 1;
  const rows = events.map(({ seq, subject, event, bytes }) => {
    const parts = parseLedgerSubject(subject);
    invariant(parts !== null, `not a ledger subject: ${subject}`);
    const row = {
      tenant: parts.tenant,
      kind: parts.kind,
      aggregate: parts.id,
      type: event.body.type,
      seq,
      subject,
      event_id: event.id,
      at: event.at,
      raw_from: from,
      raw_bytes: bytes.length,
    };
    from += bytes.length;
    return row;
  });
  return { rows, raw: Buffer.concat(events.map((one) => one.bytes)) };
}

function withViolations(rows: readonly CopyRow[], conflicts: readonly Conflict[]) {
  return rows.map((row, index) => ({ ...row, violates: conflicts[index]!.violates }));
}
