import type { DatabasePool } from "../kernel/postgres/openPool.ts";
import { asOwner } from "../kernel/postgres/transaction.ts";

/** An event that is in no history, for a person to look at. */
export interface LedgerConflict {
  /** Where it stood. */
  readonly seq: number;
  readonly subject: string;
  readonly event_id: string | null;
  /**
   * - `one_end`, `event_once`: the ledger has it, and the copy has no room for it.
   * - `moved_on`: written to a ledger that had lost its end, on a subject whose true history went on otherwise.
   * - `unreadable`: bytes that are no event.
   */
  readonly why: "one_end" | "event_once" | "moved_on" | "unreadable";
  /** Id of the repair that took it out; null for one that the ledger still has. */
  readonly repair: string | null;
  /** The event's bytes, base64. */
  readonly raw: string;
}

const listSql = `
SELECT seq, subject, event_id, violates AS why, NULL AS repair, encode(raw, 'base64') AS raw
FROM ledger_conflicts WHERE shard = $1
UNION ALL
SELECT held.seq, held.subject, held.event_id,
  CASE held.fate WHEN 'conflict' THEN 'moved_on' ELSE held.fate END, held.repair, encode(held.raw, 'base64')
FROM ledger_survivors AS held JOIN ledger_repairs AS of ON of.id = held.repair
WHERE of.shard = $1 AND held.fate IN ('conflict', 'unreadable')
ORDER BY 5 NULLS FIRST, 1 LIMIT $2`;

/** The oldest first. */
export async function listConflicts(
  pool: DatabasePool,
  shard: number,
  limit: number,
): Promise<readonly LedgerConflict[]> {
  const { rows } = await asOwner(pool, (client) => client.query<LedgerConflict>(listSql, [shard, limit]));
  return rows.map((row) => ({ ...row, raw: row.raw.replaceAll("\n", "") }));
}
