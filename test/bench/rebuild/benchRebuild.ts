import { migrate } from "../../../services/kernel/postgres/migrate.ts";
import { type DatabasePool, openPool } from "../../../services/kernel/postgres/openPool.ts";
import { asOwner } from "../../../services/kernel/postgres/transaction.ts";
import { beginAtCheckpoint } from "../../../services/projector/checkpoint.ts";
import { batchEventsMax } from "../../../services/projector/limits.ts";
import { type Projection, project } from "../../../services/projector/project.ts";
import { rebuildProjections } from "../../../services/projector/rebuildProjections.ts";
import { createShadowTable } from "../../../services/projector/shadowTable.ts";
import { taskParts, taskValues } from "../../../services/projector/taskStatements.ts";
import { writeBatch } from "../../../services/projector/writeBatch.ts";
import { ledgerHistory, lifeOf } from "../../support/ledgerHistory.ts";
import { silentLog as log } from "../../support/ledgerOnNats.ts";
import { type PostgresKind, startTestPostgres } from "../../support/withPostgres.ts";
import { type BenchResult, compared } from "../figures.ts";

export interface RebuildOptions {
  readonly postgres: PostgresKind;
  readonly rounds: number;
  /** Tasks in the copy, each with a whole life of five events. */
  readonly tasks: number;
}

const shard = 0;
const epoch = "2026-01-01T00:00:00Z";
/** Rows of one bare insert. */
const rowsMax = 1_000;
const BARE = "cazi_bench_bare";

/**
 * `cazi projections rebuild` over a copy, beside a bare multi-row insert of the rows that it makes, into a table with
 * the same indexes: what no rebuild can be faster than.
 */
export async function benchRebuild(options: RebuildOptions): Promise<BenchResult> {
  const server = await startTestPostgres(options.postgres);
  const pool = openPool({ url: server.url, size: 1, log });
  try {
    await migrate(pool);
    const created = await fill(pool, options.tasks);
    await rebuildProjections(pool);
    const rounds: { value: number; control: number }[] = [];
    for (let round = 0; round < options.rounds; round++) {
      const value = await msOf(() => rebuildProjections(pool));
      rounds.push({ value, control: await msOf(() => insertBare(pool, created)) });
    }
    return {
      figures: [
        compared({
          name: `rebuild of ${options.tasks * 5} events, ${options.postgres} Postgres`,
          unit: "ms",
          controlName: `a bare insert of its ${options.tasks} rows`,
          target: { of: "ratio", is: "at most", value: 2 },
          rounds,
        }),
      ],
      details: {},
    };
  } finally {
    await pool.end();
    await server.stop();
  }
}

/** @returns the rows of `tasks`, as the projector would write them */
async function fill(pool: DatabasePool, tasks: number): Promise<Projection["created"]> {
  const history = ledgerHistory();
  for (let n = 0; n < tasks; n++) history.append(`t${n}`, ...lifeOf(`1.${n}`));
  await beginAtCheckpoint(pool, shard, epoch);
  const created: Projection["created"][number][] = [];
  for (let at = 0; at < history.events.length; at += batchEventsMax) {
    const part = history.events.slice(at, at + batchEventsMax);
    const projection = project(part);
    const last = part.at(-1)!;
    const to = { seq: last.seq, eventId: last.event.id };
    await writeBatch(pool, { shard, epoch, fromSeq: at, to }, projection);
    created.push(...projection.created);
  }
  return created;
}

async function insertBare(pool: DatabasePool, created: Projection["created"]): Promise<void> {
  await asOwner(pool, async (client) => {
    await client.query(`DROP SCHEMA IF EXISTS ${BARE} CASCADE`);
    await client.query(`CREATE SCHEMA ${BARE}`);
    await createShadowTable(client, BARE, "tasks");
  });
  for (let at = 0; at < created.length; at += rowsMax) {
    const rows = {
      copied: [],
      passedOver: 0,
      conflicts: [],
      created: created.slice(at, at + rowsMax),
      changed: [],
      attempts: [],
      erased: [],
    };
    await asOwner(pool, async (client) => {
      await client.query(`SET LOCAL search_path = ${BARE}, public`);
      await client.query(`WITH moved AS (SELECT 1),${taskParts}\nSELECT`, taskValues(rows));
    });
  }
}

async function msOf(run: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await run();
  return performance.now() - began;
}
