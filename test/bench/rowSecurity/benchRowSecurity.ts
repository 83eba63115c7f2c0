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
const READS = 4_000;
/** Reads with the one setting before it is the other's turn. */
const TURN = 50;

/**
 * What the projector writes and the API reads, with row-level security and, as the control, with roles that bypass it.
 * The two take turns within a round, batch by batch, so that whatever else the machine does hits both.
 */
export async function benchRowSecurity(options: RowSecurityOptions): Promise<BenchResult> {
  const server = await startTestPostgres(options.postgres);
  const pool = openPool({ url: server.url, size: 1, log });
  try {
    await migrate(pool);
    const history = ledgerHistory();
    for (let n = 0; n < options.tasks; n++) history.append(`t${n}`, ...lifeOf(`1.${n}`));
    const writes: { value: number; control: number }[] = [];
    const reads: { value: number; control: number }[] = [];
    // The first is thrown away: caches and plans.
    for (let round = -1; round < options.rounds; round++) {
      const written = await write(pool, history.events, round % 2 === 0);
      const read = await readInTurns(pool, options.tasks);
      if (round < 0) continue;
      writes.push(written);
      reads.push(read);
    }
    return { figures: figuresOf(options.postgres, writes, reads), details: {} };
  } finally {
    await pool.end();
    await server.stop();
  }
}

type Rounds = readonly { readonly value: number; readonly control: number }[];

function figuresOf(postgres: PostgresKind, writes: Rounds, reads: Rounds): BenchResult["figures"] {
  const of = {
    unit: "1/s",
    controlName: "without row-level security",
    target: { of: "ratio", is: "at least", value: 0.9 },
  } as const;
  return [
    compared({ name: `events projected, ${postgres} Postgres`, ...of, rounds: writes }),
    compared({ name: `tasks and pages read, ${postgres} Postgres`, ...of, rounds: reads }),
  ];
}

async function write(pool: DatabasePool, events: readonly StoredEvent[], securedFirst: boolean) {
  await asOwner(pool, (client) =>
    client.query("TRUNCATE checkpoints, tasks, attempts, ledger_events, ledger_conflicts"),
  );
  await beginAtCheckpoint(pool, shard, epoch);
  const spent = turns();
  let secured = securedFirst;
  for (let at = 0; at < events.length; at += batchEventsMax) {
    const part = events.slice(at, at + batchEventsMax);
    const last = part.at(-1)!;
    const to = { seq: last.seq, eventId: last.event.id };
    const projection = project(part);
    await bypass(pool, "cazi_projector", !secured);
    await spent.time(secured, part.length, () =>
      writeBatch(pool, { shard, epoch, fromSeq: at, to }, projection),
    );
    secured = !secured;
  }
  await asOwner(pool, (client) => client.query("ANALYZE"));
  return spent.perSecond();
}

async function readInTurns(pool: DatabasePool, tasks: number) {
  const spent = turns();
  for (let read = 0; read < READS; read += TURN) {
    const secured = (read / TURN) % 2 === 0;
    await bypass(pool, "cazi_app", !secured);
    await spent.time(secured, TURN, async () => {
      for (let n = 0; n < TURN; n++) {
        if (n % 2 === 0) await listTasks(pool, tenant, { limit: 20 } as Parameters<typeof listTasks>[2]);
        else await findTask(pool, { tenant, task: `t${(read + n) % tasks}` });
      }
    });
  }
  return spent.perSecond();
}

async function bypass(pool: DatabasePool, role: string, bypassed: boolean): Promise<void> {
  await asOwner(pool, (client) =>
    client.query(`ALTER ROLE ${role} ${bypassed ? "BYPASSRLS" : "NOBYPASSRLS"}`),
  );
}

/** Time and work of either kind of turn. */
function turns() {
  const spent = { true: { ms: 0, count: 0 }, false: { ms: 0, count: 0 } };
  const rate = ({ ms, count }: { ms: number; count: number }) => (count * 1_000) / ms;
  return {
    time: async (secured: boolean, count: number, work: () => Promise<unknown>) => {
      const began = performance.now();
      await work();
      const of = spent[`${secured}`];
      of.ms += performance.now() - began;
      of.count += count;
    },
    perSecond: () => ({ value: rate(spent.true), control: rate(spent.false) }),
  };
}
