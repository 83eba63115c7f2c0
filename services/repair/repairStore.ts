import { parseLedgerSubject } from "../../streams/subjects.ts";
import { arrayLiteral } from "../kernel/postgres/arrayLiteral.ts";
import type { DatabasePool } from "../kernel/postgres/openPool.ts";
import { asOwner, type Queryable } from "../kernel/postgres/transaction.ts";
import type { HeldEvent } from "./compareHistories.ts";
import { readEventsMax, renamedEventsMax } from "./limits.ts";
import type { Fate, Survivor } from "./survivorFates.ts";

/** A repair as the tables know it. Everything runs as the owner: services may only add to the copy. */
export interface Repair {
  readonly id: string;
  readonly shard: number;
  readonly plan: "append" | "rebuild";
  /**
   * - `saving`: the ledger is as it was found; what only it holds is being saved.
   * - `filling`: all that is needed is in Postgres; the stream may be gone, or filled in part.
   * - `linking`: stream, copy and checkpoint are of one epoch again; readers without Postgres are yet to be told.
   */
  readonly phase: "saving" | "filling" | "linking";
  readonly fromEpoch: string;
}

interface RepairRow {
  readonly id: string;
  readonly shard: number;
  readonly plan: Repair["plan"];
  readonly phase: Repair["phase"];
  readonly from_epoch: string;
}

/** The repair of the shard that is not finished, or null. */
export async function findUnfinished(pool: DatabasePool, shard: number): Promise<Repair | null> {
  const { rows } = await asOwner(pool, (client) =>
    client.query<RepairRow>(
      "SELECT id, shard, plan, phase, from_epoch FROM ledger_repairs WHERE shard = $1 AND finished_at IS NULL",
      [shard],
    ),
  );
  const row = rows[0];
  return row === undefined ? null : { ...row, fromEpoch: row.from_epoch };
}

/** From here on no gate opens. A second repair that begins at the same moment fails on the table's unique index. */
export async function beginRepair(
  pool: DatabasePool,
  of: { id: string; shard: number; plan: Repair["plan"]; epoch: string; at: number },
): Promise<Repair> {
  const { id, shard, plan } = of;
  await asOwner(pool, (client) =>
    client.query(
      "INSERT INTO ledger_repairs (id, shard, plan, phase, from_epoch, started_at) VALUES ($1, $2, $3, 'saving', $4, $5)",
      [id, shard, plan, of.epoch, of.at],
    ),
  );
  return { id, shard, plan, phase: "saving", fromEpoch: of.epoch };
}

/** The stream is to be made anew: nothing of it is saved yet. */
export async function beginSaving(pool: DatabasePool, repair: Repair): Promise<void> {
  await asOwner(pool, async (client) => {
    await client.query("DELETE FROM ledger_survivors WHERE repair = $1", [repair.id]);
    await client.query("UPDATE ledger_repairs SET plan = 'rebuild', phase = 'saving' WHERE id = $1", [
      repair.id,
    ]);
  });
}

/** From here on a repair that makes the stream anew no longer needs the stream that was found. */
export async function beginFilling(pool: DatabasePool, repair: Repair, plan: Repair["plan"]): Promise<void> {
  await asOwner(pool, (client) =>
    client.query("UPDATE ledger_repairs SET plan = $2, phase = 'filling' WHERE id = $1", [repair.id, plan]),
  );
}

/** Remembers the epoch that is being filled: readers may follow it already, and must find their way on from it. */
export async function noteEpoch(pool: DatabasePool, repair: Repair, epoch: string): Promise<void> {
  await asOwner(pool, (client) =>
    client.query(
      `UPDATE ledger_repairs SET to_epoch = $2,
         tried = CASE WHEN to_epoch IS NULL OR to_epoch = $2 THEN tried ELSE tried || to_epoch END
       WHERE id = $1`,
      [repair.id, epoch],
    ),
  );
}

/** Of a task whose tombstone was copied nothing is saved, and so nothing is put back: erasure had begun with it. */
const saveSql = `
INSERT INTO ledger_survivors (repair, seq, subject, event_id, raw, fate)
SELECT $1, $2::bigint, $3, $4, $5, 'keep'
WHERE NOT EXISTS (
  SELECT FROM ledger_events WHERE tenant = $6 AND kind = 'task' AND aggregate = $7 AND type = 'erased' AND seq > $2::bigint
)
ON CONFLICT (repair, seq) DO NOTHING`;

export async function saveSurvivors(
  pool: DatabasePool,
  repair: Repair,
  events: readonly (HeldEvent & { readonly eventId: string | null })[],
): Promise<void> {
  await asOwner(pool, async (client) => {
    for (const { seq, subject, eventId, bytes } of events) {
      const of = parseLedgerSubject(subject);
      await client.query(saveSql, [
        repair.id,
        seq,
        subject,
        eventId,
        Buffer.from(bytes),
        of?.tenant ?? null,
        of?.id ?? null,
      ]);
    }
  });
}

export async function listSurvivors(pool: DatabasePool, repair: Repair): Promise<readonly Survivor[]> {
  const { rows } = await asOwner(pool, (client) =>
    client.query<{ seq: number; subject: string; event_id: string | null }>(
      "SELECT seq, subject, event_id FROM ledger_survivors WHERE repair = $1 ORDER BY seq",
      [repair.id],
    ),
  );
  return rows.map(({ seq, subject, event_id }) => ({ seq, subject, eventId: event_id }));
}

export async function setFates(
  pool: DatabasePool,
  repair: Repair,
  fates: ReadonlyMap<number, Fate>,
): Promise<void> {
  await asOwner(pool, (client) =>
    client.query(
      `UPDATE ledger_survivors AS held SET fate = row.fate
       FROM unnest($2::bigint[], $3::text[]) AS row (seq, fate)
       WHERE held.repair = $1 AND held.seq = row.seq`,
      [repair.id, arrayLiteral([...fates.keys()]), arrayLiteral([...fates.values()])],
    ),
  );
}

/** What decides the fates of survivors: which of their subjects and ids the copy has. */
export async function copyOfSurvivors(
  pool: DatabasePool,
  repair: Repair,
  replacedFrom: number | null,
): Promise<{ movedSubjects: ReadonlySet<string>; copiedIds: ReadonlySet<string> }> {
  return asOwner(pool, async (client) => {
    const ids = await client.query<{ event_id: string }>(
      `SELECT copy.event_id FROM ledger_survivors AS held
       JOIN ledger_events AS copy ON copy.event_id = held.event_id WHERE held.repair = $1`,
      [repair.id],
    );
    const moved = await client.query<{ subject: string }>(
      `SELECT DISTINCT held.subject FROM ledger_survivors AS held
       JOIN ledger_events AS copy ON copy.shard = $2 AND copy.subject = held.subject AND copy.seq >= $3
       WHERE held.repair = $1`,
      [repair.id, repair.shard, replacedFrom ?? Number.MAX_SAFE_INTEGER],
    );
    return {
      movedSubjects: new Set(moved.rows.map((row) => row.subject)),
      copiedIds: new Set(ids.rows.map((row) => row.event_id)),
    };
  });
}

/** Survivors of some fates in order, in batches. */
export async function* readSurvivors(
  pool: DatabasePool,
  repair: Repair,
  fates: readonly Fate[],
): AsyncGenerator<readonly HeldEvent[]> {
  for (let after = 0; ; ) {
    const { rows } = await asOwner(pool, (client) =>
      client.query<{ seq: number; subject: string; raw: Buffer }>(
        `SELECT seq, subject, raw FROM ledger_survivors
         WHERE repair = $1 AND seq > $2 AND fate = ANY($3::text[]) ORDER BY seq LIMIT $4`,
        [repair.id, after, arrayLiteral([...fates]), readEventsMax],
      ),
    );
    if (rows.length > 0) yield rows.map(({ seq, subject, raw }) => ({ seq, subject, bytes: raw }));
    if (rows.length < readEventsMax) return;
    after = rows.at(-1)!.seq;
  }
}

const copyTables = ["ledger_events", "ledger_conflicts"] as const;

/**
 * Gives the copy and its checkpoint the epoch of the repaired stream. The newest copies first, so that a history
 * that is read meanwhile keeps its order: epochs are times, and a later one sorts behind. All but the last of it is
 * done in transactions of their own, because the embedded server bounds the length of one; the checkpoint, which says
 * what is in force, moves in the last.
 */
export async function adoptEpoch(pool: DatabasePool, repair: Repair, epoch: string): Promise<void> {
  for (let more = true; more; ) {
    more = (await asOwner(pool, (client) => renameSome(client, repair.shard, epoch))) === renamedEventsMax;
  }
  await asOwner(pool, async (client) => {
    await client.query("SELECT FROM checkpoints WHERE shard = $1 FOR UPDATE", [repair.shard]);
    for (const table of copyTables) {
      await client.query(`UPDATE ${table} SET epoch = $2 WHERE shard = $1 AND epoch <> $2`, [
        repair.shard,
        epoch,
      ]);
    }
    await client.query("UPDATE checkpoints SET epoch = $2 WHERE shard = $1", [repair.shard, epoch]);
    await client.query("DELETE FROM ledger_checks WHERE shard = $1", [repair.shard]);
    await client.query("UPDATE ledger_repairs SET phase = 'linking', to_epoch = $2 WHERE id = $1", [
      repair.id,
      epoch,
    ]);
  });
}

async function renameSome(client: Queryable, shard: number, epoch: string): Promise<number> {
  const { rowCount } = await client.query(
    `UPDATE ledger_events AS copy SET epoch = $2
     FROM (
       SELECT epoch, seq FROM ledger_events
       WHERE shard = $1 AND epoch = (SELECT min(epoch) FROM ledger_events WHERE shard = $1 AND epoch <> $2)
       ORDER BY seq DESC LIMIT $3
     ) AS old
     WHERE copy.shard = $1 AND copy.epoch = old.epoch AND copy.seq = old.seq`,
    [shard, epoch, renamedEventsMax],
  );
  return rowCount ?? 0;
}

/** Every step from one epoch to the next that a repair of this shard took, oldest first. */
export async function listEpochLinks(
  pool: DatabasePool,
  shard: number,
): Promise<readonly { from_epoch: string; to_epoch: string; at: number }[]> {
  const { rows } = await asOwner(pool, (client) =>
    client.query<{ from_epoch: string; to_epoch: string; at: number }>(
      `SELECT link.from_epoch, repair.to_epoch, repair.started_at AS at
       FROM ledger_repairs AS repair
       CROSS JOIN LATERAL unnest(repair.from_epoch || repair.tried) AS link (from_epoch)
       WHERE repair.shard = $1 AND repair.phase IN ('linking', 'done') AND link.from_epoch <> repair.to_epoch
       ORDER BY repair.started_at`,
      [shard],
    ),
  );
  return rows;
}

export async function finishRepair(pool: DatabasePool, repair: Repair, at: number): Promise<void> {
  await asOwner(pool, (client) =>
    client.query("UPDATE ledger_repairs SET phase = 'done', finished_at = $2 WHERE id = $1", [repair.id, at]),
  );
}
