import { ledgerStream } from "../../streams/streams.ts";
import { arrayLiteral } from "../kernel/postgres/arrayLiteral.ts";
import type { DatabasePool } from "../kernel/postgres/openPool.ts";
import { queryInTenant } from "../kernel/postgres/transaction.ts";
import { explainedHolesMax } from "./limits.ts";
import type { CopyEnd } from "./readCopy.ts";
import type { RepairPorts } from "./verifyLedger.ts";

const unexplainedSql = `
SELECT count(*)::int AS unexplained FROM ledger_events AS copy
WHERE shard = $1 AND epoch = $2 AND seq <= $3 AND (seq < $4 OR seq = ANY($5::bigint[]))
  AND NOT EXISTS (
    SELECT FROM ledger_events AS later
    WHERE later.tenant = copy.tenant AND later.kind = copy.kind AND later.aggregate = copy.aggregate
      AND later.epoch = copy.epoch AND later.seq > copy.seq AND later.type = 'erased')`;

/** How many events erasure took out of the copy, and so may take out of the ledger. */
export async function countErased(pool: DatabasePool, shard: number): Promise<number> {
  const [row] = await queryInTenant<{ events: number }>(
    pool,
    { role: "projector", tenant: null },
    "SELECT events FROM erased_copies WHERE shard = $1",
    [shard],
  );
  return row?.events ?? 0;
}

/**
 * How many events are deleted in the stream although the copy has them and no erasure says why. As many as erasure is
 * known to have taken cost nothing, and may hide others until it is done; more cost one answer of the server and one
 * query, in proportion to what is deleted.
 * @returns 1 when there are too many to tell
 */
export async function explainHoles(
  { nats, pool, shard }: Omit<RepairPorts, "clock">,
  copy: CopyEnd,
): Promise<number> {
  const stream = ledgerStream(shard);
  const { state: counts } = await nats.jsm.streams.info(stream);
  // Asked after the stream: what erasure takes from the ledger it took from the copy before.
  if (counts.last_seq - counts.messages <= (await countErased(pool, shard))) return 0;
  const { state } = await nats.jsm.streams.info(stream, { deleted_details: true });
  const deleted = state.deleted ?? [];
  if ((state.num_deleted ?? 0) > explainedHolesMax) return 1;
  const [row] = await queryInTenant<{ unexplained: number }>(
    pool,
    { role: "projector", tenant: null },
    unexplainedSql,
    [shard, copy.epoch, copy.end, state.first_seq, arrayLiteral(deleted)],
  );
  return row!.unexplained;
}
