import { headers, type JetStreamManager } from "nats";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { projectorRole } from "../deploy/compose/roles/projector.ts";
import { type ReactorRole, reactorRole } from "../deploy/compose/roles/reactor.ts";
import { relayRole } from "../deploy/compose/roles/relay.ts";
import type { Ground, RunningRole } from "../deploy/compose/roles/role.ts";
import type { TaskEventBody } from "../services/domain/task/taskEvent.ts";
import { objectName, openArtifactStore } from "../services/kernel/artifacts/artifactStore.ts";
import { removeArtifactsOf } from "../services/kernel/artifacts/taskArtifacts.ts";
import { newId } from "../services/kernel/ids.ts";
import { readErasurePlace } from "../services/kernel/ledger/erasurePlace.ts";
import { forgetReader, readerPlaces } from "../services/kernel/ledger/readers.ts";
import { migrate } from "../services/kernel/postgres/migrate.ts";
import { type DatabasePool, openPool } from "../services/kernel/postgres/openPool.ts";
import { asOwner } from "../services/kernel/postgres/transaction.ts";
import { natsLogs } from "../services/node-agent/adapters/natsLogs.ts";
import { rebuildProjections } from "../services/projector/rebuildProjections.ts";
import { tableHashes } from "../services/projector/tableHashes.ts";
import { type ClearPorts, clearTask } from "../services/reactor/clearTask.ts";
import { watchDeadLetters } from "../services/reactor/deadLetters.ts";
import { repairLedger } from "../services/repair/repairLedger.ts";
import { isWhole, surveyLedger } from "../services/repair/verifyLedger.ts";
import { WatchRounds } from "../services/repair/watchLedger.ts";
import { ledgerStream, DEFAULT_SHARD as shard } from "../streams/streams.ts";
import { filters, subjects } from "../streams/subjects.ts";
import { expectFeedIsLedger } from "./support/feedOnNats.ts";
import { groundOnNats } from "./support/groundOnNats.ts";
import { bodies, ledgerHistory } from "./support/ledgerHistory.ts";
import { silentLog as log } from "./support/ledgerOnNats.ts";
import { waitFor } from "./support/waitFor.ts";
import { withNats } from "./support/withNats.ts";
import { withPostgres } from "./support/withPostgres.ts";

const MARKER = "marker-7f3a-of-what-must-go";
const tenant = "default";
const server = withNats();
const postgres = withPostgres("native");
let ground: Ground;
let pool: DatabasePool;
let roles: RunningRole[] = [];

beforeAll(async () => {
  ground = await groundOnNats(server);
  pool = openPool({ url: postgres.url, size: 3, log });
  await migrate(pool);
});
afterAll(async () => {
  await Promise.all(roles.map((role) => role.stop()));
  await ground.stop();
  await pool.end();
});

/** A life of two attempts with output and a file; its ttl has passed long ago when it is given. */
function lifeWithAll(ttlMs: number | null): TaskEventBody[] {
  const limits = { timeout_ms: 60_000, max_retries: 2, ttl_ms: ttlMs, start_within_ms: null, sinks: 1 };
  const file = {
    type: "artifact_stored",
    fence: "2.b",
    name: "a",
    attempt: 2,
    bytes: MARKER.length,
    sha256: "0".repeat(64),
    media_type: "text/plain",
    expires_at: 0,
    replaced_bytes: null,
  } as const;
  return [
    bodies.submitted({ environment: { SECRET: MARKER } }, { limits }),
    bodies.scheduled("1.a", "n1"),
    bodies.claimed("1.a"),
    bodies.running("1.a"),
    bodies.retrying("1.a", { message: MARKER }),
    bodies.scheduled("2.b", "n2"),
    bodies.claimed("2.b"),
    bodies.running("2.b"),
    file,
    bodies.succeeded("2.b", { message: MARKER }),
    bodies.sinkDelivered(),
  ];
}

/** Puts tasks into the ledger, and everywhere else what a run would have left of them. */
async function seed(tasks: Readonly<Record<string, number | null>>): Promise<void> {
  const { nats } = ground;
  const history = ledgerHistory();
  for (const [task, ttlMs] of Object.entries(tasks)) history.append(task, ...lifeWithAll(ttlMs));
  for (const { event, bytes, subject } of history.events) {
    const id = `${event.task}-${event.id}`;
    if (event.body.type === "artifact_stored") {
      const source = (async function* () {
        yield Buffer.from(MARKER);
      })();
      // The event's bytes carry the id that the history gave it.
      const name = objectName({ tenant, task: event.task }, event.id);
      await openArtifactStore(nats).put(name, source, { bytesMax: 1_000, now: Date.now });
    }
    await nats.js.publish(subject, bytes, { msgID: id });
  }
  for (const task of Object.keys(tasks)) {
    for (const [node, attempt] of [
      ["n1", 1],
      ["n2", 2],
    ] as const) {
      for (const stream of ["stdout", "stderr"] as const)
        for (const chunk of [1, 2])
          await nats.js.publish(subjects.log({ node, task, attempt, stream }), `${MARKER} ${chunk}`);
      await nats.js.publish(subjects.claim({ node, task }), MARKER);
      await nats.js.publish(subjects.report({ node, task }), MARKER);
    }
    const why = headers();
    why.set("Cazi-Subject", subjects.report({ node: "n1", task }));
    await nats.js.publish(subjects.deadLetter({ stream: "reports" }), MARKER, { headers: why });
    await nats.js.publish(subjects.deadSink({ tenant, task, sink: "webhook-1" }), MARKER);
  }
}

/** Where a text is: streams with subjects, tables. Chunks of object stores are streams too. */
async function placesOf(text: string): Promise<string[]> {
  const { nats } = ground;
  const found: string[] = [];
  for await (const { config, state } of nats.jsm.streams.list()) {
    for (let seq = state.first_seq; seq <= state.last_seq; seq++) {
      const message = await nats.jsm.streams.getMessage(config.name, { seq }).catch(() => null);
      if (message === null) continue;
      const whole = `${message.subject} ${JSON.stringify(message.header)} ${Buffer.from(message.data).toString("latin1")}`;
      if (whole.includes(text)) found.push(`${config.name} ${message.subject}`);
    }
  }
  await asOwner(pool, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      "SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')",
    );
    const hex = Buffer.from(text).toString("hex");
    for (const { name } of rows) {
      const { rows: hits } = await client.query<{ hits: number }>(
        `SELECT count(*)::int AS hits FROM ${name} AS one WHERE one::text LIKE $1 OR one::text LIKE $2`,
        [`%${text}%`, `%${hex}%`],
      );
      if (hits[0]!.hits > 0) found.push(`${name} ${hits[0]!.hits}`);
    }
  });
  return found.sort();
}

const ledgerHas = async (task: string) => {
  const { state } = await ground.nats.jsm.streams.info(ledgerStream(shard), { subjects_filter: "ledger.>" });
  return (state.subjects as Record<string, number> | undefined)?.[
    subjects.ledger({ tenant, kind: "task", id: task })
  ];
};
const logsHave = async (task: string) => {
  const { state } = await ground.nats.jsm.streams.info("LOGS", {
    subjects_filter: filters.logsOfTask({ task }),
  });
  return Object.keys(state.subjects ?? {}).length > 0;
};
const cursors = () => ground.nats.js.views.kv("cursors");
const start = (...some: RunningRole[]) => {
  roles = [...roles, ...some];
};

describe("a task whose ttl has passed", () => {
  let reactor: ReactorRole;

  it("waits for a reader that is silent, which is named, and nothing of it is deleted meanwhile", async () => {
    await seed({ gone1: 1_000, gone2: 1_000, kept: null });
    reactor = reactorRole(ground, 0, 100);
    start(projectorRole(ground, pool), reactor);
    await waitFor("the relay to be named", () => reactor.erasing().heldUp?.reader === "relay");
    expect(reactor.erasing()).toMatchObject({ waiting: 2, heldUp: { reader: "relay", seq: 0 } });
    expect([await ledgerHas("gone1"), await ledgerHas("kept")]).toEqual([12, 11]);
    const kv = await cursors();
    await waitFor(
      "operators to see it",
      async () => (await readErasurePlace(kv, shard)).place?.held_up_by?.reader === "relay",
    );
  });

  it("leaves nothing but its tombstone, in streams, buckets and tables, once the reader is there", async () => {
    start(relayRole(ground));
    await waitFor(
      "both to be cleared",
      async () => (await ledgerHas("gone1")) === 1 && (await ledgerHas("gone2")) === 1,
    );
    await waitFor("nobody to be named", () => reactor.erasing().heldUp === null);
    for (const task of ["gone1", "gone2"]) {
      expect(await placesOf(task)).toEqual([
        `EVENTS_0 events.default.task.erased.${task}`,
        `LEDGER_0 ledger.default.task.${task}`,
        "public.ledger_events 1",
      ]);
    }
  });

  it("takes nothing of its neighbours, and the feed is the ledger, in order", async () => {
    expect(await ledgerHas("kept")).toBe(11);
    const places = await placesOf(MARKER);
    expect(places.filter((place) => place.startsWith("LOGS"))).toHaveLength(8);
    const subjectsSeen = places.map((place) => place.replace(/C\.\w+$/, "C"));
    expect(subjectsSeen.filter((place) => !place.includes(".kept"))).toEqual([
      "DEADLETTERS dead.reports",
      "OBJ_artifacts $O.artifacts.C",
      "public.attempts 1",
      "public.ledger_events 4",
      "public.tasks 1",
    ]);
    await expectFeedIsLedger(ground.nats);
  });

  it("goes at once where somebody asks, who is named; output that a node sends after it goes too", async () => {
    const { nats, clock, ledger } = ground;
    await seed({ early: null });
    await waitFor("it to be projected", async () => (await tableHashes(pool)).tasks.rows === 2);
    const by = { actor: "user:ada", accountable: null, route: "rest" };
    const at = clock.now();
    const key = { tenant, task: "early" };
    await ledger.execute(key, { kind: "erase", at, id: newId(at), by, giveUpSinks: true });
    await waitFor("it to be cleared", async () => (await ledgerHas("early")) === 1);
    expect(await placesOf("early")).toEqual([
      "EVENTS_0 events.default.task.erased.early",
      "LEDGER_0 ledger.default.task.early",
      "public.ledger_events 1",
    ]);
    expect((await ledger.history(key, 9)).map(({ event }) => event.by)).toEqual([by]);
    // The agent slept, and now sends what it had of an erased task and of one that is kept.
    const late = natsLogs(nats, "n2");
    const chunk = { stream: "stdout", offset: 0, at, bytes: Buffer.from(MARKER), dropped: null } as const;
    for (const task of ["kept", "early"])
      await late.append({ ...chunk, ref: { tenant, task, attempt: 2, fence: `2.${task}` } });
    await waitFor("the late output to be gone", async () => !(await logsHave("early")));
    expect(await logsHave("kept")).toBe(true);
    // So does a node of the version before, which says of no task whose it is, and long after that look.
    const publish = (task: string) =>
      nats.js.publish(subjects.log({ node: "n3", task, attempt: 1, stream: "stdout" }), MARKER);
    for (const task of ["kept", "early", "nobodys"]) await publish(task);
    await waitFor("that to be gone", async () => !(await logsHave("early")));
    expect([await logsHave("kept"), await logsHave("nobodys")]).toEqual([true, true]);
    await nats.jsm.streams.purge("LOGS", { filter: filters.logsOf({ node: "n3" }) });
  });

  it("comes back with no rebuild, no verify and no repair", async () => {
    const before = await tableHashes(pool);
    expect(before.tasks.rows).toBe(1);
    await rebuildProjections(pool);
    expect(await tableHashes(pool)).toEqual(before);
    const { nats, clock } = ground;
    const ports = { nats, pool, shard, clock };
    const onDamage = (what: string) => expect.unreachable(what);
    await new WatchRounds({ ...ports, log, mayLook: () => true, onDamage }).look();
    expect(isWhole(await surveyLedger(ports))).toBe(true);
    const pause = async () => undefined;
    const repairing = { ...ports, mayGoOn: () => undefined, tell: () => undefined, pause };
    expect(await repairLedger(repairing)).toMatchObject({ plan: "nothing" });
  });
});

describe("clearing an erased task", () => {
  const removeArtifacts = (key: { tenant: string; task: string }) => removeArtifactsOf(ground.nats, key);

  /** The connection, which dies at the nth question or deletion: before it when `n` is odd, after it else. */
  function dyingAt(n: number): { nats: ClearPorts["nats"]; died: () => boolean } {
    let calls = 0;
    const streams = new Proxy(ground.nats.jsm.streams, {
      get:
        (target, name) =>
        async (...args: never[]) => {
          const dies = ++calls === Math.ceil(n / 2);
          if (dies && n % 2 === 1) throw new Error("killed");
          const answer = await (target[name as keyof typeof target] as (...of: never[]) => Promise<unknown>)(
            ...args,
          );
          if (dies) throw new Error("killed");
          return answer;
        },
    });
    return { nats: { jsm: { streams } as JetStreamManager }, died: () => calls >= Math.ceil(n / 2) };
  }

  it("may die before and after each of its steps, and is finished by whoever comes next", async () => {
    // Without a ttl the reactor lets them be; the tombstones are ours.
    await Promise.all(roles.map((role) => role.stop()));
    roles = [];
    const { nats, clock } = ground;
    await seed({ steps: null });
    await ground.ledger.execute(
      { tenant, task: "steps" },
      { kind: "erase", at: clock.now(), id: "tombstone-of-steps" },
    );
    const { seq } = await ground.ledger.load({ tenant, task: "steps" });
    const deadLetters = watchDeadLetters(nats);
    await deadLetters.look();
    const ports = {
      nats,
      shard,
      removeArtifacts,
      deadLettersOf: deadLetters.of,
      emptyStreams: new Set<string>(),
      mayGoOn: () => undefined,
    };
    let deaths = 0;
    for (let n = 1; ; n++) {
      const dying = dyingAt(n);
      const done = await clearTask({ ...ports, nats: dying.nats }, { tenant, task: "steps", seq }).then(
        () => true,
        () => false,
      );
      if (done) break;
      deaths++;
      expect(dying.died()).toBe(true);
      // What is left is a history that still begins where the deletions have come to, and ends in the tombstone.
      expect((await ground.ledger.load({ tenant, task: "steps" })).state).toEqual({ status: "erased" });
    }
    expect(deaths).toBeGreaterThan(20);
    expect(await placesOf("steps")).toEqual(["LEDGER_0 ledger.default.task.steps"]);
  });

  it("goes on without a reader that a person said to forget, until it speaks again", async () => {
    const kv = await cursors();
    await seed({ alone: 1_000 });
    const reactor = reactorRole(ground, 0);
    start(reactor, relayRole(ground));
    await waitFor("the projector to be named", () => reactor.erasing().heldUp?.reader === "projector");
    expect(await ledgerHas("alone")).toBe(12);
    await forgetReader(kv, shard, "projector");
    await waitFor("it to be cleared", async () => (await ledgerHas("alone")) === 1);
    start(projectorRole(ground, pool));
    await waitFor(
      "the projector to speak",
      async () => (await readerPlaces(kv, shard)).projector?.forgotten === false,
    );
    await waitFor("it to have read on", async () =>
      (await placesOf("alone")).includes("public.ledger_events 1"),
    );
    expect((await placesOf("alone")).filter((place) => place.startsWith("public"))).toEqual([
      "public.ledger_events 1",
    ]);
  });
});
