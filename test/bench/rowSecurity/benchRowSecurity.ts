import { findTask } from "../../../services/control-plane/reads/findTask.ts";
import { listTasks } from "../../../services/control-plane/reads/listTasks.ts";
import type { StoredEvent } from "../../../services/kernel/ledger/storedEvent.ts";
import { migrate } from "../../../services/kernel/postgres/migrate.ts";
import { type DatabasePool, openPool } from "../../../services/kernel/postgres/openPool.ts";
import { asOwner } from "../../../services/kernel/postgres/transaction.ts";
import { beginAtCheckpoint } from "../../../services/projector/checkpoint.ts";
import { batchEventsMax } from "../../../services/projector/limits.ts";
import { project } from "../../../services/projector/project.ts";
import { writeBatch } from "../../../services/projector/writeBatch.ts";
import { ledgerHistory, lifeOf } from "../../support/ledgerHistory.ts";
import { silentLog as log } from "../../support/ledgerOnNats.ts";
import { type PostgresKind, startTestPostgres } from "../../support/withPostgres.ts";
import { type BenchResult, compared } from "../figures.ts";

export interface RowSecurityOptions {
  readonly postgres: PostgresKind;
  readonly rounds: number;
  /** Tasks written a round, each with a whole life of five events. */
  readonly tasks: number;
}

const shard = 0;
const epoch = "2026-01-01T00:00:00Z";
const tenant = "default";
const READS = 2_000;
const TABLES = ["tasks", "ledger_events", "ledger_conflicts", "attempts"];

/** What the projector writes and the API reads, with row-level security and, as the control, without. */
export async function benchRowSecurity(options: RowSecurityOptions): Promise<BenchResult> {
  const server = await startTestPostgres(options.postgres);
  const pool = openPool({ url: server.url, size: 1, log });
  try {
    await migrate(pool);
    const history = ledgerHistory();
    for (let n = 0; n < options.tasks; n++) history.append(`t${n}`, ...lifeOf(`1.${n}`));
    const writes: { value: number; control: number }[] = [];
    const reads: { value: number; control: number }[] = [];
    // The first of each is thrown away: caches and plans.
    for (let round = -1; round < options.rounds; round++) {
      // In turns, so that neither always finds what the other has warmed.
      const first = await measure(pool, history.events, round % 2 === 0);
      const second = await measure(pool, history.events, round % 2 !== 0);
      const [on, off] = round % 2 === 0 ? [first, second] : [second, first];
      if (round < 0) continue;
      writes.push({ value: on.writes, control: off.writes });
      reads.push({ value: on.reads, control: off.reads });
    }
    const target = { of: "ratio", is: "at least", value: 0.9 } as const;
    const controlName = "the same without row-level security";
    const { postgres } = options;
    return {
      figures: [
        compared({
          name: `events projected, ${postgres} Postgres`,
          unit: "1/s",
          controlName,
          target,
          rounds: writes,
        }),
        compared({
          name: `tasks and pages read, ${postgres} Postgres`,
          unit: "1/s",
          controlName,
          target,
          rounds: reads,
        }),
      ],
      details: {},
    };
  } finally {
    await pool.end();
    await server.stop();
  }
}

async function measure(
  pool: DatabasePool,
  events: readonly StoredEvent[],
  secured: boolean,
): Promise<{ readonly writes: number; readonly reads: number }> {
  await asOwner(pool, async (client) => {
    const { rows } = await client.query<{ table: string }>(
      "SELECT relname AS table FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relname = ANY ($1)",
      [TABLES],
    );
    for (const { table } of rows) {
      await client.query(`ALTER TABLE ${table} ${secured ? "ENABLE" : "DISABLE"} ROW LEVEL SECURITY`);
    }
    await client.query(`TRUNCATE checkpoints, ${rows.map(({ table }) => table).join(", ")}`);
  });
  await beginAtCheckpoint(pool, shard, epoch);
  const writes = await perSecond(events.length, async () => {
    for (let at = 0; at < events.length; at += batchEventsMax) {
      const part = events.slice(at, at + batchEventsMax);
      const last = part.at(-1)!;
      const to = { seq: last.seq, eventId: last.event.id };
      await writeBatch(pool, { shard, epoch, fromSeq: at, to }, project(part));
    }
  });
  await asOwner(pool, (client) => client.query("ANALYZE"));
  const reads = await perSecond(READS, async () => {
    for (let read = 0; read < READS; read++) {
      if (read % 2 === 0) await listTasks(pool, tenant, { limit: 20 } as Parameters<typeof listTasks>[2]);
      else await findTask(pool, { tenant, task: `t${read % (events.length / 5)}` });
    }
  });
  return { writes, reads };
}

async function perSecond(count: number, work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return (count * 1_000) / (performance.now() - began);
}
