import type { DatabasePool } from "../../kernel/postgres/openPool.ts";
import { queryInTenant } from "../../kernel/postgres/transaction.ts";
import { storedBytesKnownMs, storedBytesWaitMs } from "../limits.ts";

/** Every attempt's output once: the row of a task that waits shows the attempt before, which has its own row then. */
const sumSql = `
SELECT coalesce(sum(coalesce(stdout_stored, 0) + coalesce(stderr_stored, 0)), 0)::bigint AS bytes
FROM (
  SELECT stdout_stored, stderr_stored FROM tasks WHERE tenant = $1 AND fence IS NOT NULL
  UNION ALL
  SELECT stdout_stored, stderr_stored FROM attempts WHERE tenant = $1
) AS one`;

/**
 * Bytes of output that are kept of a tenant's tasks, as the read models show them: counted anew every so often, and only for
 * those who ask. While Postgres is away or slow what was known last is the answer, 0 where nothing was.
 */
export function countStored(
  pool: DatabasePool,
  monotonicMs: () => number,
): (tenant: string) => Promise<number> {
  const known = new Map<string, number>();
  const asked = new Map<string, { readonly at: number; readonly bytes: Promise<number> }>();
  return (tenant) => {
    const last = asked.get(tenant);
    if (last !== undefined && monotonicMs() - last.at < storedBytesKnownMs) return last.bytes;
    const before = known.get(tenant) ?? 0;
    const counted = queryInTenant<{ bytes: number }>(pool, { role: "app", tenant }, sumSql, [tenant]).then(
      ([row]) => {
        const bytes = Number(row!.bytes);
        known.set(tenant, bytes);
        return bytes;
      },
      () => before,
    );
    const bytes = within(storedBytesWaitMs, counted, before);
    asked.set(tenant, { at: monotonicMs(), bytes });
    return bytes;
  };
}

async function within(ms: number, answer: Promise<number>, otherwise: number): Promise<number> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<number>((resolve) => {
    timer = setTimeout(resolve, ms, otherwise);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
