import { arrayLiteral } from "../kernel/postgres/arrayLiteral.ts";
import type { DatabasePool } from "../kernel/postgres/openPool.ts";
import { queryInTenant } from "../kernel/postgres/transaction.ts";
import type { CopiedEvent } from "./compareHistories.ts";
import { readEventsMax } from "./limits.ts";

const asProjector = { role: "projector", tenant: null } as const;

/** An event of the copy, and whether its aggregate was erased after it: then the ledger need not have it any more. */
export interface Copy extends CopiedEvent {
  readonly erasedLater: boolean;
}

/** The shard's checkpoint: the epoch that its cursors are of, and the sequence up to which it was copied. */
export interface CopyEnd {
  readonly epoch: string;
  readonly end: number;
}

/** @returns null for a shard that was never projected */
export async function findCopyEnd(pool: DatabasePool, shard: number): Promise<CopyEnd | null> {
  const rows = await queryInTenant<{ epoch: string; seq: number }>(
    pool,
    asProjector,
    "SELECT epoch, seq FROM checkpoints WHERE shard = $1",
    [shard],
  );
  return rows[0] === undefined ? null : { epoch: rows[0].epoch, end: rows[0].seq };
}

/** Skips from epoch to epoch by the key's index: nearly always one, two while a repair gives copies their new epoch. */
const epochsSql = `
WITH RECURSIVE known AS (
  SELECT min(epoch) AS epoch FROM ledger_events WHERE shard = $1
  UNION ALL
  SELECT (SELECT min(epoch) FROM ledger_events WHERE shard = $1 AND epoch > known.epoch)
  FROM known WHERE known.epoch IS NOT NULL
)
SELECT epoch FROM known WHERE epoch IS NOT NULL`;

/** What broke a rule of the copy stands in the ledger nevertheless. */
const copiesSql = `
SELECT one.*, EXISTS (
  SELECT FROM ledger_events AS later
  WHERE later.tenant = one.tenant AND later.kind = one.kind AND later.aggregate = one.aggregate
    AND later.epoch = ANY($2) AND later.seq > one.seq AND later.type = 'erased'
) AS erased_later
FROM (
  SELECT held.* FROM unnest($2::text[]) AS of (epoch)
  CROSS JOIN LATERAL (
    SELECT seq, subject, event_id, raw, tenant, kind, aggregate FROM ledger_events
    WHERE shard = $1 AND epoch = of.epoch AND seq > $3 AND seq <= $4 ORDER BY seq LIMIT $5
  ) AS held
  UNION ALL
  SELECT seq, subject, event_id, raw, tenant, kind, aggregate FROM ledger_conflicts
  WHERE shard = $1 AND seq > $3 AND seq <= $4
  ORDER BY 1 LIMIT $5
) AS one
ORDER BY seq`;

interface CopyRow {
  readonly seq: number;
  readonly subject: string;
  readonly event_id: string;
  readonly raw: Buffer;
  readonly erased_later: boolean;
}

/** The copy of a shard in order, whatever epochs its rows are of, in batches: sequences above `after` up to `end`. */
export async function* readCopy(
  pool: DatabasePool,
  of: { readonly shard: number; readonly after: number; readonly end: number },
): AsyncGenerator<readonly Copy[]> {
  const epochs = await queryInTenant<{ epoch: string }>(pool, asProjector, epochsSql, [of.shard]);
  const names = arrayLiteral(epochs.map(({ epoch }) => epoch));
  for (let after = of.after; ; ) {
    const rows = await queryInTenant<CopyRow>(pool, asProjector, copiesSql, [
      of.shard,
      names,
      after,
      of.end,
      readEventsMax,
    ]);
    if (rows.length > 0) yield rows.map(copyOf);
    if (rows.length < readEventsMax) return;
    after = rows.at(-1)!.seq;
  }
}

function copyOf({ seq, subject, event_id, raw, erased_later }: CopyRow): Copy {
  return { seq, subject, eventId: event_id, bytes: raw, erasedLater: erased_later };
}

/** Whether the copy still has an event: erasure may have taken it since it was read, and from the ledger as well. */
export async function isStillCopied(pool: DatabasePool, eventId: string): Promise<boolean> {
  const rows = await queryInTenant(
    pool,
    asProjector,
    "SELECT FROM ledger_events WHERE event_id = $1 UNION ALL SELECT FROM ledger_conflicts WHERE event_id = $1",
    [eventId],
  );
  return rows.length > 0;
}
