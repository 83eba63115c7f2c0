import type { DatabasePool } from "../../kernel/postgres/openPool.ts";
import { queryInTenant } from "../../kernel/postgres/transaction.ts";
import { storedBytesKnownMs } from "../limits.ts";

const sumSql = `
SELECT coalesce(sum(coalesce(stdout_stored, 0) + coalesce(stderr_stored, 0)), 0)::bigint AS bytes
FROM tasks WHERE tenant = $1`;

/**
 * Bytes that are kept of a tenant's tasks, as the read models show them: counted anew every so often, and only for those
 * who ask. While Postgres is away what was known last is the answer, 0 where nothing was.
 */
export function countStored(
  pool: DatabasePool,
  monotonicMs: () => number,
): (tenant: string) => Promise<number> {
  const known = new Map<string, { readonly at: number; readonly bytes: Promise<number> }>();
  return (tenant) => {
    const last = known.get(tenant);
    if (last !== undefined && monotonicMs() - last.at < storedBytesKnownMs) return last.bytes;
    const before = last?.bytes ?? Promise.resolve(0);
    const bytes = queryInTenant<{ bytes: number }>(pool, { role: "app", tenant }, sumSql, [tenant]).then(
      ([row]) => Number(row!.bytes),
      () => before,
    );
    known.set(tenant, { at: monotonicMs(), bytes });
    return bytes;
  };
}
