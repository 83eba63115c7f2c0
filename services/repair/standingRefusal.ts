import type { DatabasePool } from "../kernel/postgres/openPool.ts";
import { type LedgerCheck, ledgerSummary } from "./ledgerChecks.ts";

/**
 * What Postgres remembers against writing to the ledger, as a sentence; null when nothing stands against it. Part of
 * the regression guard: it holds over restarts, and for every process.
 * @throws Retryable `DATABASE_UNAVAILABLE`
 */
export async function standingRefusal(pool: DatabasePool, shard: number): Promise<string | null> {
  const { check, repair } = await ledgerSummary(pool, shard);
  if (repair !== null) return `repair ${repair} is not finished; run \`cazi ledger repair\` to finish it`;
  return check === null ? null : damageFound(check);
}

/** What a check found that a repair has to put right, as a sentence; null when nothing. */
export function damageFound(
  check: Pick<LedgerCheck, "missing" | "altered" | "replaced" | "first">,
): string | null {
  const { missing, altered, replaced, first } = check;
  if (missing + altered + replaced === 0) return null;
  const counted = [
    [missing, "missing"],
    [altered, "altered"],
    [replaced, "replaced by others"],
  ] as const;
  const found = counted.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  const where = first.find(({ kind }) => kind !== "uncopied");
  return `beside its copy, events of the ledger are ${found.join(", ")}${where ? `, the first at sequence ${where.seq}` : ""}`;
}
