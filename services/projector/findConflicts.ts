import { parseLedgerSubject } from "../../streams/subjects.ts";
import type { StoredEvent } from "../kernel/ledger/storedEvent.ts";
import type { DatabasePool } from "../kernel/postgres/openPool.ts";
import { queryInTenant } from "../kernel/postgres/transaction.ts";
import { type Conflict, isTerminal } from "./project.ts";

const findConflictsSql = `
SELECT row.seq,
  CASE WHEN EXISTS (SELECT FROM ledger_events AS copy WHERE copy.event_id = row.event_id)
    THEN 'event_once' ELSE 'one_end' END AS violates
FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::boolean[])
  AS row (seq, event_id, tenant, kind, aggregate, terminal)
WHERE EXISTS (SELECT FROM ledger_events AS copy WHERE copy.event_id = row.event_id)
  OR (row.terminal AND EXISTS (
    SELECT FROM ledger_events AS copy
    WHERE copy.tenant = row.tenant AND copy.kind = row.kind AND copy.aggregate = row.aggregate
      AND copy.type IN ('blocked', 'succeeded', 'failed', 'cancelled')))`;

/**
 * The events of a batch that the copy has no room for: an event that is copied already, or a second end of a
 * task. Asked only after a batch was refused, which never happens in a sound ledger.
 */
export async function findConflicts(
  pool: DatabasePool,
  events: readonly StoredEvent[],
): Promise<readonly Conflict[]> {
  const rows = await queryInTenant<{ seq: number; violates: Conflict["violates"] }>(
    pool,
    { role: "projector", tenant: null },
    findConflictsSql,
    [
      events.map((one) => one.seq),
      events.map((one) => one.event.id),
      events.map((one) => one.event.tenant),
      events.map((one) => parseLedgerSubject(one.subject)?.kind ?? null),
      events.map((one) => one.event.task),
      events.map((one) => isTerminal(one.event.body.type)),
    ],
  );
  const found = new Map(rows.map((row) => [row.seq, row.violates]));
  const seen = new Set<string>();
  return events.flatMap((stored): Conflict[] => {
    const again = seen.has(stored.event.id);
    seen.add(stored.event.id);
    const violates = again ? "event_once" : found.get(stored.seq);
    return violates === undefined ? [] : [{ stored, violates }];
  });
}
