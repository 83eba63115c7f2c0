import type { DatabasePool } from "../kernel/postgres/openPool.ts";
import { queryInTenant } from "../kernel/postgres/transaction.ts";
import type { Survey, ToldDifference } from "./verifyLedger.ts";

const asProjector = { role: "projector", tenant: null } as const;

/** The newest comparison of a ledger with its copy, as recorded. */
export interface LedgerCheck {
  readonly epoch: string;
  /** Milliseconds since 1970. */
  readonly checkedAt: number;
  readonly events: number;
  readonly whole: boolean;
  readonly missing: number;
  readonly altered: number;
  readonly replaced: number;
  readonly uncopied: number;
  readonly first: readonly ToldDifference[];
}

/** For `doctor` and `/readyz`. */
export interface LedgerSummary {
  readonly check: LedgerCheck | null;
  /** Id of a repair that was begun and is not finished; null when there is none. */
  readonly repair: string | null;
  /** Events that a person has to look at: see `cazi ledger conflicts`. */
  readonly conflicts: number;
}

const recordSql = `
INSERT INTO ledger_checks (shard, epoch, checked_at, events, whole, missing, altered, replaced, uncopied, first)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
ON CONFLICT (shard) DO UPDATE SET epoch = excluded.epoch, checked_at = excluded.checked_at,
  events = excluded.events, whole = excluded.whole, missing = excluded.missing, altered = excluded.altered,
  replaced = excluded.replaced, uncopied = excluded.uncopied, first = excluded.first`;

/** Damage that was found stays found until all is compared again by a verify or a repair. */
const recordCleanSql = `${recordSql}
WHERE ledger_checks.missing + ledger_checks.altered + ledger_checks.replaced = 0`;

type Recorded = Pick<Survey, "events" | "missing" | "altered" | "replaced" | "uncopied" | "first"> & {
  readonly copy: { readonly epoch: string } | null;
};

/** @param whole true when all was compared at once; `round`: part by part, which does not take damage back; else false */
export async function recordCheck(
  pool: DatabasePool,
  shard: number,
  found: Recorded,
  at: number,
  whole: boolean | "round" = true,
): Promise<void> {
  await queryInTenant(pool, asProjector, whole === "round" ? recordCleanSql : recordSql, [
    shard,
    found.copy?.epoch ?? "",
    at,
    found.events,
    whole !== false,
    found.missing,
    found.altered,
    found.replaced,
    found.uncopied,
    JSON.stringify(found.first),
  ]);
}

interface SummaryRow extends Omit<LedgerCheck, "checkedAt" | "epoch"> {
  readonly epoch: string | null;
  readonly checked_at: number;
  readonly repair: string | null;
  readonly conflicts: number;
}

const summarySql = `
SELECT checks.*, repair.id AS repair,
  ((SELECT count(*) FROM ledger_conflicts WHERE ledger_conflicts.shard = of.shard)
   + (SELECT count(*) FROM ledger_survivors AS held JOIN ledger_repairs AS old ON old.id = held.repair
      WHERE old.shard = of.shard AND held.fate IN ('conflict', 'unreadable')))::int AS conflicts
FROM (SELECT $1::int AS shard) AS of
LEFT JOIN ledger_checks AS checks ON checks.shard = of.shard
LEFT JOIN ledger_repairs AS repair ON repair.shard = of.shard AND repair.finished_at IS NULL`;

/** What is known of a shard's ledger without reading it: one query. Needs the rights of the tables' owner or projector. */
export async function ledgerSummary(pool: DatabasePool, shard: number): Promise<LedgerSummary> {
  const [row] = await queryInTenant<SummaryRow>(pool, asProjector, summarySql, [shard]);
  const { epoch, checked_at, repair, conflicts, ...counts } = row!;
  return { check: epoch === null ? null : { ...counts, epoch, checkedAt: checked_at }, repair, conflicts };
}
