import type { DatabasePool } from "../kernel/postgres/openPool.ts";
import { asOwner } from "../kernel/postgres/transaction.ts";

/** Tables that are made from the ledger and can be made again. */
export const readModelTables = ["tasks", "attempts"] as const;
export type ReadModelTable = (typeof readModelTables)[number];

/**
 * SHA-256 over each row's text, then over the sorted rows' hashes: the same rows give the same hash on every
 * server, whatever the order they were written in. The columns are integers, booleans, text and jsonb, whose text
 * depends on no session setting.
 */
const hashSql = (table: ReadModelTable) => `
SELECT count(*)::int AS rows,
  encode(sha256(convert_to(coalesce(string_agg(hash, '' ORDER BY hash COLLATE "C"), ''), 'UTF8')), 'hex') AS hash
FROM (SELECT encode(sha256(convert_to(one::text, 'UTF8')), 'hex') AS hash FROM ${table} AS one) AS hashes`;

export interface TableHash {
  readonly rows: number;
  /** 64 hex digits. */
  readonly hash: string;
}

/** A deterministic hash over all rows of each read-model table, to compare before and after a rebuild. */
export function tableHashes(pool: DatabasePool): Promise<Readonly<Record<ReadModelTable, TableHash>>> {
  return asOwner(pool, async (client) => {
    const hashes: Partial<Record<ReadModelTable, TableHash>> = {};
    for (const table of readModelTables) {
      hashes[table] = (await client.query<TableHash>(hashSql(table))).rows[0]!;
    }
    return hashes as Record<ReadModelTable, TableHash>;
  });
}
