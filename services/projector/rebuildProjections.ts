import { randomUUID } from "node:crypto";
import { decodeTaskEvent } from "../../schemas/taskEvents.ts";
import { Retryable } from "../kernel/errors.ts";
import type { StoredEvent } from "../kernel/ledger/storedEvent.ts";
import type { DatabasePool } from "../kernel/postgres/openPool.ts";
import { asOwner, type Queryable } from "../kernel/postgres/transaction.ts";
import { rebuildEventsMax, rebuildTasksMax } from "./limits.ts";
import { type Projection, project } from "./project.ts";
import { beginRun, endRun, holdRun, SHADOW } from "./rebuildRun.ts";
import { createShadowTable } from "./shadowTable.ts";
import { readModelTables } from "./tableHashes.ts";
import { taskParts, taskValues } from "./taskStatements.ts";
import {
  type CopyPart,
  foldWholeTasks,
  projectWholeTasks,
  readWholeTasks,
  type TasksOfCopy,
} from "./wholeTasks.ts";

const OLD = "cazi_replaced";

/** Place of a copied event; the copy of all shards is read in this order. */
interface CopyPosition {
  readonly shard: number;
  readonly epoch: string;
  readonly seq: number;
}

const copiesSql = `
SELECT shard, epoch, seq, subject, raw FROM ledger_events
WHERE (shard, epoch, seq) > ($1, $2, $3) AND shard = $1
ORDER BY shard, epoch, seq LIMIT $4`;

interface CopyRow extends CopyPosition {
  readonly subject: string;
  readonly raw: Buffer;
}

const applySql = `WITH moved AS (SELECT 1),${taskParts}\nSELECT`;

/**
 * Makes the read models again from the copied events, in a shadow schema, and puts them in the place of the old
 * ones in one transaction. The copy itself is only read.
 *
 * It may run while the projector does, and the checkpoint does not move: rows, copy and checkpoint are always of one
 * commit, so read models that have caught up with the copy are what the checkpoint says. Most of the catching up
 * is done without a lock. The last of it, and the swap, hold the read models exclusively: the projector's next
 * statement waits for them, and finds the new ones. It locks only what the projector locks last, so the two cannot
 * block each other in a ring.
 *
 * Up to where the copy is when it begins, each task is made from its first and its last event; only what comes
 * after is folded event by event.
 *
 * Killed half-way it leaves the old read models in force and a shadow that the next rebuild removes. Only one works at
 * a time: see `rebuildRun.ts`.
 * @returns how many events the new read models are of
 * @throws Rejection `REBUILD_RUNNING` beside another one; Retryable `DATABASE_UNAVAILABLE`, `LEDGER_REGRESSED` while a
 * repair is not finished; Poison as `decodeTaskEvent`
 */
export async function rebuildProjections(
  pool: DatabasePool,
  onProgress: (events: number) => void | Promise<void> = () => undefined,
): Promise<{ readonly events: number }> {
  const run = randomUUID();
  const shards = await asOwner(pool, async (client) => {
    await refuseDuringRepair(client);
    await beginRun(client, run);
    for (const table of readModelTables) await createShadowTable(client, SHADOW, table);
    return (await client.query<CopyPart>(partsSql)).rows;
  });
  const step: Step = (work) =>
    asOwner(pool, async (client) => {
      await holdRun(client, run);
      return await work(client);
    });
  try {
    return { events: await fill(step, shards, onProgress) };
  } catch (error) {
    // What failed is told; a shadow that stays is free after a while.
    await asOwner(pool, (client) => endRun(client, run)).catch(() => undefined);
    throw error;
  }
}

/** Runs a transaction in which the shadow is this run's. */
type Step = <T>(work: (client: Queryable) => Promise<T>) => Promise<T>;

async function fill(
  step: Step,
  shards: readonly CopyPart[],
  onProgress: (events: number) => void | Promise<void>,
): Promise<number> {
  const cursors = new Map<number, CopyPosition>();
  let events = 0;
  for (const part of shards) {
    events += await applyWholeTasks(step, part);
    cursors.set(part.shard, { shard: part.shard, epoch: part.epoch, seq: part.end });
    await onProgress(events);
  }
  for (let more = true; more; ) {
    more = false;
    for (const cursor of cursors.values()) {
      const read = await step((client) => applyNext(client, cursor));
      cursors.set(cursor.shard, read.cursor);
      events += read.events;
      more ||= read.events === rebuildEventsMax;
    }
    await onProgress(events);
  }
  return events + (await step((client) => finish(client, cursors)));
}

/** Complete up to the checkpoint; a shard of several epochs, which only a repair leaves for a moment, has no such part. */
const partsSql = `
SELECT checkpoint.shard, checkpoint.epoch, checkpoint.seq AS end FROM checkpoints AS checkpoint
WHERE NOT EXISTS (
  SELECT FROM ledger_events AS copy WHERE copy.shard = checkpoint.shard AND copy.epoch < checkpoint.epoch
)
ORDER BY checkpoint.shard`;

async function refuseDuringRepair(client: Queryable): Promise<void> {
  const { rows } = await client.query("SELECT FROM ledger_repairs WHERE finished_at IS NULL LIMIT 1");
  if (rows.length === 0) return;
  throw new Retryable(
    "LEDGER_REGRESSED",
    "a repair of the ledger is not finished, and the copy is on the move",
    {
      hint: "Finish it with `cazi ledger repair`, then rebuild.",
    },
  );
}

/**
 * Reads some tasks while the rows of those before them are written: the server writes while this process decodes.
 * @returns how many events the part has
 */
async function applyWholeTasks(step: Step, part: CopyPart): Promise<number> {
  const max = rebuildTasksMax;
  let read: TasksOfCopy = { tasks: [], after: 0 };
  let rows = projectWholeTasks([]);
  while (read.after !== null || read.tasks.length > 0) {
    const { tasks, after } = read;
    [read, rows] = await step(async (client) => {
      const opening = client.query(`SET LOCAL search_path = ${SHADOW}, public`);
      const reading = after === null ? NO_TASKS : readWholeTasks(client, part, { after, max });
      const writing = write(client, rows);
      const flight = [
        reading.then((next) => [next, projectWholeTasks(next.tasks)] as const),
        writing,
      ] as const;
      // All of them have to be back before the connection is anybody else's.
      await Promise.allSettled([opening, ...flight]);
      await writing;
      for (const fold of await foldWholeTasks(client, part, tasks)) await write(client, fold);
      return await flight[0];
    });
  }
  return await step(async (client) => {
    const { rows: counted } = await client.query<{ count: number }>(
      "SELECT count(*)::int AS count FROM ledger_events WHERE shard = $1 AND epoch = $2 AND seq <= $3",
      [part.shard, part.epoch, part.end],
    );
    return counted[0]!.count;
  });
}

const NO_TASKS: Promise<TasksOfCopy> = Promise.resolve({ tasks: [], after: null });

async function write(client: Queryable, rows: Projection): Promise<void> {
  if (rows.created.length > 0) await client.query(applySql, taskValues(rows));
}

/** Reads the events after `cursor` and folds them into the shadow. */
async function applyNext(
  client: Queryable,
  cursor: CopyPosition,
): Promise<{ cursor: CopyPosition; events: number }> {
  const { rows } = await client.query<CopyRow>(copiesSql, [
    cursor.shard,
    cursor.epoch,
    cursor.seq,
    rebuildEventsMax,
  ]);
  const last = rows.at(-1);
  if (last === undefined) return { cursor, events: 0 };
  await client.query(`SET LOCAL search_path = ${SHADOW}, public`);
  for (const part of byEpoch(rows)) await client.query(applySql, taskValues(project(part)));
  return { cursor: { shard: last.shard, epoch: last.epoch, seq: last.seq }, events: rows.length };
}

/** A fold never spans two epochs: what a repair brought again is another history of the same subject. */
function byEpoch(rows: readonly CopyRow[]): readonly (readonly StoredEvent[])[] {
  const parts = new Map<string, StoredEvent[]>();
  for (const { epoch, seq, subject, raw } of rows) {
    const part = parts.get(epoch) ?? [];
    parts.set(epoch, part);
    part.push({ seq, subject, bytes: raw, event: decodeTaskEvent(raw) });
  }
  return [...parts.values()];
}

async function finish(client: Queryable, cursors: ReadonlyMap<number, CopyPosition>): Promise<number> {
  await refuseDuringRepair(client);
  await client.query(`LOCK TABLE ${readModelTables.join(", ")} IN ACCESS EXCLUSIVE MODE`);
  let events = 0;
  for (const cursor of await withNewShards(client, cursors)) {
    for (let at = cursor; ; ) {
      const read = await applyNext(client, at);
      events += read.events;
      at = read.cursor;
      if (read.events < rebuildEventsMax) break;
    }
  }
  await client.query("SET LOCAL search_path = public");
  await client.query(`DROP SCHEMA IF EXISTS ${OLD} CASCADE`);
  await client.query(`CREATE SCHEMA ${OLD}`);
  for (const table of readModelTables) {
    await client.query(`ALTER TABLE public.${table} SET SCHEMA ${OLD}`);
    await client.query(`ALTER TABLE ${SHADOW}.${table} SET SCHEMA public`);
  }
  await client.query(`DROP SCHEMA ${OLD} CASCADE`);
  await client.query(`DROP SCHEMA ${SHADOW} CASCADE`);
  return events;
}

/** A shard whose projector started while the rebuild ran is read from its beginning. */
async function withNewShards(
  client: Queryable,
  cursors: ReadonlyMap<number, CopyPosition>,
): Promise<readonly CopyPosition[]> {
  const { rows } = await client.query<{ shard: number }>("SELECT shard FROM checkpoints ORDER BY shard");
  return rows.map(({ shard }) => cursors.get(shard) ?? { shard, epoch: "", seq: 0 });
}
