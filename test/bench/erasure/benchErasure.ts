import { setTimeout as pause } from "node:timers/promises";
import type { NatsConnection } from "nats";
import { projectorRole } from "../../../deploy/compose/roles/projector.ts";
import { reactorRole } from "../../../deploy/compose/roles/reactor.ts";
import { relayRole } from "../../../deploy/compose/roles/relay.ts";
import type { Ground } from "../../../deploy/compose/roles/role.ts";
import type { StoredEvent } from "../../../services/kernel/ledger/storedEvent.ts";
import { migrate } from "../../../services/kernel/postgres/migrate.ts";
import { type DatabasePool, openPool } from "../../../services/kernel/postgres/openPool.ts";
import { DEFAULT_SHARD, eventsStream, ledgerStream } from "../../../streams/streams.ts";
import { subjects } from "../../../streams/subjects.ts";
import { groundOnNats } from "../../support/groundOnNats.ts";
import { bodies, ledgerHistory, lifeOf } from "../../support/ledgerHistory.ts";
import { silentLog as log } from "../../support/ledgerOnNats.ts";
import { startTestNats, type TestNats } from "../../support/withNats.ts";
import { type PostgresKind, startTestPostgres } from "../../support/withPostgres.ts";
import { type BenchResult, compared } from "../figures.ts";

export interface ErasureOptions {
  readonly postgres: PostgresKind;
  readonly rounds: number;
  /** Tasks that are due at once, each with a life of five events and one piece of output. */
  readonly tasks: number;
}

/** Of the ledger and of the feed five each, and one of LOGS. */
const MESSAGES_A_TASK = 11;
const AT_ONCE = 64;
const BARE = "BARE";

/**
 * Erases tasks whose ttl has passed, all parts real: from the first tombstone until nothing but tombstones is left.
 * Beside as many bare deletions by sequence, as many at once, of messages of the same bytes in one stream.
 */
export async function benchErasure(options: ErasureOptions): Promise<BenchResult> {
  const rounds: { value: number; control: number }[] = [];
  for (let round = 0; round < options.rounds; round++) {
    const server = await startTestNats();
    const postgres = await startTestPostgres(options.postgres);
    const pool = openPool({ url: postgres.url, size: 2, log });
    try {
      await migrate(pool);
      const value = await erasedASecond(server, pool, options.tasks);
      rounds.push({ value, control: await deletedASecond(server, options.tasks) });
    } finally {
      await pool.end();
      await Promise.all([postgres.stop(), server.stop()]);
    }
  }
  const figure = compared({
    name: `erasure of ${options.tasks} tasks, ${options.postgres} Postgres`,
    unit: "tasks/s",
    controlName: `${MESSAGES_A_TASK} bare deletions by sequence a task`,
    target: { of: "value", is: "at least", value: 200 },
    rounds,
  });
  return { figures: [figure], details: {} };
}

async function erasedASecond(server: TestNats, pool: DatabasePool, tasks: number): Promise<number> {
  const ground = await groundOnNats(server);
  const readers = [projectorRole(ground, pool), relayRole(ground)];
  try {
    await fill(ground, tasks);
    await readAll(ground, tasks * 5);
    const began = performance.now();
    const reactor = reactorRole(ground, 0);
    readers.push(reactor);
    for (;;) {
      const { state } = await ground.nats.jsm.streams.info(ledgerStream(DEFAULT_SHARD));
      if (state.last_seq === tasks * 6 && state.messages === tasks) break;
      await pause(20);
    }
    return (tasks * 1_000) / (performance.now() - began);
  } finally {
    await Promise.all(readers.map((role) => role.stop()));
    await ground.stop();
  }
}

function historyOf(tasks: number): readonly StoredEvent[] {
  const history = ledgerHistory();
  const limits = { timeout_ms: 60_000, max_retries: 0, ttl_ms: 1_000, start_within_ms: null, sinks: 0 };
  for (let n = 0; n < tasks; n++)
    history.append(`t${n}`, bodies.submitted({}, { limits }), ...lifeOf(`1.${n}`).slice(1));
  return history.events;
}

async function fill({ nats }: Ground, tasks: number): Promise<void> {
  for (const { subject, bytes } of historyOf(tasks)) nats.connection.publish(subject, bytes);
  for (let n = 0; n < tasks; n++)
    nats.connection.publish(
      subjects.log({ node: "local", task: `t${n}`, attempt: 1, stream: "stdout" }),
      "done\n",
    );
  await stored(nats.connection, async () => (await nats.jsm.streams.info("LOGS")).state.messages === tasks);
}

/** Until feed and Postgres hold all of it. */
async function readAll({ nats }: Ground, events: number): Promise<void> {
  const kv = await nats.js.views.kv("cursors");
  await stored(nats.connection, async () => {
    const projector = await kv.get(`reader.projector.${DEFAULT_SHARD}`);
    const { state } = await nats.jsm.streams.info(eventsStream(DEFAULT_SHARD));
    return state.messages === events && (projector?.json<{ seq: number }>().seq ?? 0) === events;
  });
}

async function deletedASecond(server: TestNats, tasks: number): Promise<number> {
  const ground = await groundOnNats(server);
  const { nats } = ground;
  try {
    await nats.jsm.streams.add({ name: BARE, subjects: ["bare.>"] });
    const messages = tasks * MESSAGES_A_TASK;
    const bytes = historyOf(1)[0]!.bytes;
    for (let n = 0; n < messages; n++) nats.connection.publish(`bare.t${n % tasks}`, bytes);
    await stored(
      nats.connection,
      async () => (await nats.jsm.streams.info(BARE)).state.messages === messages,
    );
    const began = performance.now();
    let next = 1;
    const work = async () => {
      while (next <= messages) await nats.jsm.streams.deleteMessage(BARE, next++, false);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return (tasks * 1_000) / (performance.now() - began);
  } finally {
    await ground.stop();
  }
}

async function stored(connection: NatsConnection, isDone: () => Promise<boolean>): Promise<void> {
  await connection.flush();
  while (!(await isDone())) await pause(20);
}
