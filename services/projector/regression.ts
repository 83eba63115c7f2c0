import type { DatabasePool } from "../kernel/postgres/openPool.ts";
import { queryInTenant } from "../kernel/postgres/transaction.ts";
import { witnessesMax } from "./limits.ts";

/** An event that the copy in Postgres holds. */
export interface CopiedEvent {
  readonly seq: number;
  readonly eventId: string;
}

/** What Postgres knows of a shard's ledger. */
export interface LedgerCopy {
  readonly epoch: string;
  /** The checkpoint first, then the newest copies, newest first. Empty when nothing was copied. */
  readonly newest: readonly CopiedEvent[];
}

/** What the ledger says about itself. */
export interface LedgerWitness {
  readonly epoch: string;
  readonly lastSeq: number;
  /** Event ids that the ledger holds at the sequences of {@link LedgerCopy.newest}; null: no message there. */
  readonly idAt: ReadonlyMap<number, string | null>;
}

export type RegressionAnswer = "ok" | { readonly regressed: string };

/**
 * Whether the ledger is at least the copy (INV-NO-SHORTER-HISTORY). Pure.
 *
 * A number alone proves nothing: a ledger that lost its tail may have been written to since. So the event at the
 * copy's last sequence must be the copy's event. Erasure deletes messages from the ledger; a missing one is passed
 * over for the next older copy, and only if all are missing does the ledger's length have to do.
 */
export function checkRegression(copy: LedgerCopy | null, ledger: LedgerWitness): RegressionAnswer {
  const [last] = copy?.newest ?? [];
  // A fresh database beside a full ledger is sound: it is projected from the start.
  if (copy === null || last === undefined) return "ok";
  if (copy.epoch !== ledger.epoch) {
    return {
      regressed: `the copy is of the ledger made at ${copy.epoch}, this one was made at ${ledger.epoch}`,
    };
  }
  if (ledger.lastSeq < last.seq) {
    return { regressed: `the copy reaches sequence ${last.seq}, the ledger ends at ${ledger.lastSeq}` };
  }
  for (const { seq, eventId } of copy.newest) {
    const found = ledger.idAt.get(seq) ?? null;
    if (found === null) continue;
    if (found === eventId) return "ok";
    return { regressed: `at sequence ${seq} the copy has event ${eventId}, the ledger has ${found}` };
  }
  return "ok";
}

const newestSql = `
SELECT checkpoint.epoch, checkpoint.seq AS last_seq, checkpoint.event_id AS last_event_id, copy.seq, copy.event_id
FROM checkpoints AS checkpoint
LEFT JOIN LATERAL (
  SELECT seq, event_id FROM ledger_events
  WHERE shard = checkpoint.shard AND epoch = checkpoint.epoch AND seq < checkpoint.seq
  ORDER BY seq DESC LIMIT $2
) AS copy ON true
WHERE checkpoint.shard = $1
ORDER BY copy.seq DESC`;

interface NewestRow {
  readonly epoch: string;
  readonly last_seq: number;
  readonly last_event_id: string | null;
  readonly seq: number | null;
  readonly event_id: string | null;
}

/** What Postgres knows of the shard's ledger; null for a database that never saw it. */
export async function findLedgerCopy(pool: DatabasePool, shard: number): Promise<LedgerCopy | null> {
  const rows = await queryInTenant<NewestRow>(pool, { role: "projector", tenant: null }, newestSql, [
    shard,
    witnessesMax,
  ]);
  const [first] = rows;
  if (first === undefined) return null;
  if (first.last_event_id === null) return { epoch: first.epoch, newest: [] };
  const older = rows.flatMap((row) =>
    row.seq === null ? [] : [{ seq: row.seq, eventId: row.event_id as string }],
  );
  return { epoch: first.epoch, newest: [{ seq: first.last_seq, eventId: first.last_event_id }, ...older] };
}

/** The questions that the guard asks the ledger, on the connection that is to be trusted. */
export interface LedgerQuestions {
  epoch(): Promise<string>;
  lastSeq(): Promise<number>;
  /** Event id of the message at a sequence, from the stream's leader; null when there is none. */
  eventIdAt(seq: number): Promise<string | null>;
}

/**
 * The guard's answer for one shard, from a process that has Postgres. Usually one read of the copy and one
 * message of the ledger.
 * @throws Retryable `DATABASE_UNAVAILABLE`, and what the questions throw: then nobody can tell
 */
export async function answerGuard(
  pool: DatabasePool,
  shard: number,
  ledger: LedgerQuestions,
): Promise<RegressionAnswer> {
  // The copy first: what it holds was in the ledger before, so the ledger is never asked too early.
  const copy = await findLedgerCopy(pool, shard);
  const epoch = await ledger.epoch();
  const lastSeq = await ledger.lastSeq();
  const idAt = new Map<number, string | null>();
  if (copy !== null && copy.epoch === epoch) {
    for (const { seq } of copy.newest) {
      if (seq > lastSeq) break;
      const id = await ledger.eventIdAt(seq);
      idAt.set(seq, id);
      if (id !== null) break;
    }
  }
  return checkRegression(copy, { epoch, lastSeq, idAt });
}
