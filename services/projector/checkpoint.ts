import { Retryable } from "../kernel/errors.ts";
import type { DatabasePool } from "../kernel/postgres/openPool.ts";
import { queryInTenant } from "../kernel/postgres/transaction.ts";

/** How far the copy of a shard is. */
export interface Checkpoint {
  readonly epoch: string;
  /** Sequence of the last copied event; 0 before the first. */
  readonly seq: number;
  readonly eventId: string | null;
}

const readSql = "SELECT epoch, seq, event_id FROM checkpoints WHERE shard = $1";

/** A copy that is empty belongs to no ledger yet, so it may take any epoch. */
const beginSql = `
INSERT INTO checkpoints (shard, epoch, seq, event_id) VALUES ($1, $2, 0, NULL)
ON CONFLICT (shard) DO UPDATE SET epoch = excluded.epoch WHERE checkpoints.seq = 0`;

/** The shard's checkpoint, or null when nothing was ever projected. */
export async function findCheckpoint(pool: DatabasePool, shard: number): Promise<Checkpoint | null> {
  const rows = await queryInTenant<{ epoch: string; seq: number; event_id: string | null }>(
    pool,
    { role: "projector", tenant: null },
    readSql,
    [shard],
  );
  const row = rows[0];
  return row === undefined ? null : { epoch: row.epoch, seq: row.seq, eventId: row.event_id };
}

/**
 * The checkpoint to project from, made when there is none.
 * @throws Retryable `LEDGER_REGRESSED` when the copy is of another ledger
 */
export async function beginAtCheckpoint(
  pool: DatabasePool,
  shard: number,
  epoch: string,
): Promise<Checkpoint> {
  await queryInTenant(pool, { role: "projector", tenant: null }, beginSql, [shard, epoch]);
  const checkpoint = (await findCheckpoint(pool, shard))!;
  if (checkpoint.epoch !== epoch) {
    throw new Retryable(
      "LEDGER_REGRESSED",
      `Postgres holds a copy of the ledger of ${checkpoint.epoch}, and this one is of ${epoch}`,
      { hint: "The ledger was made anew. Repair it from the copy; nothing is projected until then." },
    );
  }
  return checkpoint;
}
