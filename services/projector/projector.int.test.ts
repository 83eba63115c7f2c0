import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { CheckpointNotice } from "../../schemas/messages/node.ts";
import { bodies, ledgerHistory, lifeOf } from "../../test/support/ledgerHistory.ts";
import { waitFor } from "../../test/support/waitFor.ts";
import { type PostgresKind, withPostgres } from "../../test/support/withPostgres.ts";
import { createTaskReads } from "../control-plane/reads/taskReads.ts";
import { attemptOf } from "../control-plane/tasks/attemptOf.ts";
import { attemptsOf } from "../domain/task/attempts.ts";
import type { CarriedTask } from "../domain/task/taskState.ts";
import { systemClock } from "../kernel/clock.ts";
import type { Following, LedgerFeed, LedgerFollower, StoredEvent } from "../kernel/ledger/storedEvent.ts";
import { createLog } from "../kernel/log.ts";
import { migrate } from "../kernel/postgres/migrate.ts";
import { type DatabasePool, openPool } from "../kernel/postgres/openPool.ts";
import { asOwner } from "../kernel/postgres/transaction.ts";
import { beginAtCheckpoint, findCheckpoint } from "./checkpoint.ts";
import { project } from "./project.ts";
import { rebuildProjections } from "./rebuildProjections.ts";
import { answerGuard, findLedgerCopy } from "./regression.ts";
import { type Projector, startProjector } from "./startProjector.ts";
import { tableHashes } from "./tableHashes.ts";
import { writeBatch } from "./writeBatch.ts";

const log = createLog("silent", "test");
const epoch = "2026-01-01T00:00:00Z";
const shard = 0;

describe.each<PostgresKind>(["native", "embedded"])("the projector, %s Postgres", (kind) => {
  const server = withPostgres(kind);
  let pool: DatabasePool;

  beforeAll(async () => {
    pool = openPool({ url: server.url, size: kind === "native" ? 3 : 1, log });
    await migrate(pool);
  });
  afterAll(() => pool.end());
  beforeEach(() =>
    asOwner(pool, (client) =>
      client.query("TRUNCATE tasks, attempts, erased_copies, ledger_events, ledger_conflicts, checkpoints"),
    ),
  );

  const start = (feed: LedgerFeed, more: { notices?: CheckpointNotice[]; held?: () => boolean } = {}) =>
    startProjector({
      feed,
      pool,
      publishNotice: (notice) => void more.notices?.push(notice),
      clock: systemClock,
      log,
      lease: { held: more.held ?? (() => true) },
    });
  const until = (projector: Projector, seq: number) =>
    waitFor(`sequence ${seq}`, () => projector.health().position.seq === seq);
  const select = (sql: string) => asOwner(pool, async (client) => (await client.query(sql)).rows);
  const write = (events: readonly StoredEvent[], fromSeq: number) => {
    const { seq, event } = events.at(-1)!;
    return writeBatch(pool, { shard, epoch, fromSeq, to: { seq, eventId: event.id } }, project(events));
  };

  it("copies every byte, keeps the read model, and announces each position", async () => {
    const { events } = ledgerHistory()
      .append("t1", ...lifeOf("1.a"))
      .append("t2", bodies.submitted());
    const notices: CheckpointNotice[] = [];
    const projector = await start(arrayFeed(events), { notices });
    await until(projector, 6);
    expect(await select("SELECT id, status, exit_code, spec FROM tasks ORDER BY id")).toEqual([
      { id: "t1", status: "succeeded", exit_code: 0, spec: bodies.submitted().spec },
      { id: "t2", status: "pending", exit_code: null, spec: bodies.submitted().spec },
    ]);
    const copies = await select("SELECT raw, event_id FROM ledger_events ORDER BY seq");
    expect(copies).toEqual(events.map((one) => ({ raw: Buffer.from(one.bytes), event_id: one.event.id })));
    expect(notices.at(-1)).toEqual({ epoch, seq: 6, lag: 0 });
    expect(projector.health()).toMatchObject({ ok: true, reason: null, lag: 0 });
    await projector.stop();
  });

  it("goes on from its checkpoint after it ended between two batches", async () => {
    const { events } = ledgerHistory().append("t1", ...lifeOf("1.a"));
    for (let after = 1; after <= events.length; after++) {
      const projector = await start(arrayFeed(events.slice(0, after)));
      await until(projector, after);
      await projector.stop();
    }
    expect(await select("SELECT count(*)::int AS copies FROM ledger_events")).toEqual([{ copies: 5 }]);
    expect(await select("SELECT seq, status FROM tasks")).toEqual([{ seq: 5, status: "succeeded" }]);
  });

  it("writes a batch whole or not at all, and only from where the checkpoint is", async () => {
    const { events } = ledgerHistory().append("t1", ...lifeOf("1.a"));
    await beginAtCheckpoint(pool, shard, epoch);
    expect(await write(events.slice(0, 2), 0)).toBe(true);
    expect(await write(events.slice(0, 3), 0)).toBe(false);
    expect(await select("SELECT seq, status FROM tasks")).toEqual([{ seq: 2, status: "scheduled" }]);
    expect(await findCheckpoint(pool, shard)).toEqual({ epoch, seq: 2, eventId: "e2" });
    const [first] = await Promise.all([write(events.slice(2), 2), write(events.slice(2), 2)]).then((both) => [
      both.filter(Boolean).length,
    ]);
    expect(first).toBe(1);
    expect(await select("SELECT count(*)::int AS copies FROM ledger_events")).toEqual([{ copies: 5 }]);
  });

  it("lets two projectors race without harm", async () => {
    const history = ledgerHistory();
    for (let task = 0; task < 40; task++) history.append(`t${task}`, ...lifeOf(`1.${task}`));
    const feeds = [arrayFeed(history.events, 7), arrayFeed(history.events, 11)];
    const projectors = await Promise.all(feeds.map((feed) => start(feed)));
    await Promise.all(projectors.map((one) => until(one, 200)));
    expect(await select("SELECT count(*)::int AS ended FROM tasks WHERE status = 'succeeded'")).toEqual([
      { ended: 40 },
    ]);
    expect(await select("SELECT count(*)::int AS copies FROM ledger_events")).toEqual([{ copies: 200 }]);
    expect(projectors.map((one) => one.health().ok)).toEqual([true, true]);
    await Promise.all(projectors.map((one) => one.stop()));
  });

  it.each([
    ["in the same batch", 1_000],
    ["in a later batch", 5],
  ])("puts a second end of a task aside and goes on, %s", async (_where, batchMax) => {
    const history = ledgerHistory().append("t1", ...lifeOf("1.a"));
    const ended = history.events[4]!.event.state as CarriedTask;
    history.force("t1", bodies.failed("1.a"), { ...ended, status: "failed" } as CarriedTask);
    history.append("t2", bodies.submitted());
    const projector = await start(arrayFeed(history.events, batchMax));
    await until(projector, 7);
    expect(await select("SELECT id, status FROM tasks ORDER BY id")).toEqual([
      { id: "t1", status: "succeeded" },
      { id: "t2", status: "pending" },
    ]);
    expect(await select("SELECT seq, type, violates FROM ledger_conflicts")).toEqual([
      { seq: 6, type: "failed", violates: "one_end" },
    ]);
    await projector.stop();
  });

  it("puts an event aside that was copied already", async () => {
    const history = ledgerHistory().append("t1", bodies.submitted());
    const { body, state } = history.events[0]!.event;
    history.force("t9", body, state as CarriedTask, "e1");
    const projector = await start(arrayFeed(history.events, 1));
    await until(projector, 2);
    expect(await select("SELECT seq, violates FROM ledger_conflicts")).toEqual([
      { seq: 2, violates: "event_once" },
    ]);
    await projector.stop();
  });

  it.each([3, 100])(
    "keeps of an erased task only its tombstone, whatever the batches (%d events), and counts what went",
    async (batch) => {
      const history = ledgerHistory().append("t1", ...lifeOf("1.a"));
      const ended = history.events[4]!.event.state as CarriedTask;
      history.force("t1", bodies.failed("1.a"), { ...ended, status: "failed" } as CarriedTask);
      history.force("t1", bodies.erased(), { status: "erased" });
      history.append("t2", bodies.submitted());
      await select(
        "INSERT INTO ledger_repairs VALUES ('r1', 0, 'rebuild', 'done', 'e', 'e', '{}', 1, 2) ON CONFLICT DO NOTHING",
      );
      await select(
        "INSERT INTO ledger_survivors VALUES ('r1', 3, 'ledger.default.task.t1', 'x', 'raw', 'keep')",
      );
      const projector = await start(arrayFeed(history.events, batch));
      await until(projector, 8);
      expect(await select("SELECT id FROM tasks")).toEqual([{ id: "t2" }]);
      expect(await select("SELECT seq, type FROM ledger_events ORDER BY seq")).toEqual([
        { seq: 7, type: "erased" },
        { seq: 8, type: "submitted" },
      ]);
      expect(await select("SELECT seq FROM ledger_conflicts UNION SELECT seq FROM ledger_survivors")).toEqual(
        [],
      );
      expect(await select("SELECT shard, events FROM erased_copies")).toEqual([{ shard, events: 6 }]);
      await projector.stop();
    },
  );

  it("stops, and says why, at a transition it does not know", async () => {
    const history = ledgerHistory().append("t1", bodies.submitted());
    history.force("t1", bodies.claimed("1.a"), history.events[0]!.event.state);
    const projector = await start(arrayFeed(history.events));
    expect(await projector.stopped).toMatchObject({ name: "IllegalTransition" });
    expect(projector.health()).toMatchObject({ ok: false, reason: "PROJECTOR_STOPPED", lag: 2 });
    expect(await select("SELECT id FROM tasks")).toEqual([]);
  });

  it("steps down when it has lost its lease, and writes nothing more", async () => {
    const { events } = ledgerHistory().append("t1", ...lifeOf("1.a"));
    let held = true;
    const projector = await start(arrayFeed(events, 2), {
      held: () => {
        const before = held;
        held = false;
        return before;
      },
    });
    expect(await projector.stopped).toMatchObject({ code: "LEASE_LOST" });
    expect(await findCheckpoint(pool, shard)).toMatchObject({ seq: 2 });
  });

  it("refuses to project another ledger over the copy, unless the copy is empty", async () => {
    await beginAtCheckpoint(pool, shard, "an older epoch");
    const { events } = ledgerHistory().append("t1", bodies.submitted());
    const projector = await start(arrayFeed(events));
    await until(projector, 1);
    await projector.stop();
    await expect(start(arrayFeed(events, 10, "another"))).rejects.toMatchObject({ code: "LEDGER_REGRESSED" });
  });

  it("waits while Postgres is away, and loses nothing", async () => {
    const { events } = ledgerHistory().append("t1", ...lifeOf("1.a"));
    const feed = arrayFeed([]);
    const projector = await start(feed);
    await server.kill();
    feed.push(...events);
    await waitFor("trouble", () => projector.health().reason === "DATABASE_UNAVAILABLE");
    await server.restart();
    await until(projector, 5);
    expect(projector.health()).toMatchObject({ ok: true, reason: null });
    expect(await select("SELECT status FROM tasks")).toEqual([{ status: "succeeded" }]);
    await projector.stop();
  });

  it("answers the guard from the copy", async () => {
    expect(await findLedgerCopy(pool, shard)).toBeNull();
    const { events } = ledgerHistory().append("t1", ...lifeOf("1.a"));
    const projector = await start(arrayFeed(events));
    await until(projector, 5);
    await projector.stop();
    const ids = new Map(events.map((one) => [one.seq, one.event.id]));
    const ledger = (lastSeq: number, changed: Map<number, string | null> = new Map()) => ({
      epoch: async () => epoch,
      lastSeq: async () => lastSeq,
      eventIdAt: async (seq: number) => (changed.has(seq) ? changed.get(seq)! : (ids.get(seq) ?? null)),
    });
    expect(await answerGuard(pool, shard, ledger(5))).toBe("ok");
    expect(await answerGuard(pool, shard, ledger(9, new Map([[5, null]])))).toBe("ok");
    expect(await answerGuard(pool, shard, ledger(4))).toMatchObject({ regressed: expect.any(String) });
    expect(await answerGuard(pool, shard, ledger(9, new Map([[5, "other"]])))).toMatchObject({
      regressed: expect.stringContaining("e5"),
    });
  });

  it.each([1, 3])("keeps attempts apart, whatever the batches (%d events)", async (batch) => {
    const [submitted, ...life] = lifeOf("3.c");
    const { events } = ledgerHistory().append(
      "t1",
      ...[submitted!, bodies.scheduled("1.a", "n1"), bodies.returned("1.a"), bodies.scheduled("2.b", "n2")],
      ...[
        bodies.claimed("2.b"),
        bodies.pulling("2.b"),
        bodies.running("2.b"),
        bodies.retrying("2.b"),
        ...life,
      ],
    );
    const projector = await start(arrayFeed(events, batch));
    await until(projector, events.length);
    const key = { tenant: "default", task: "t1" };
    const { data } = await createTaskReads(pool).listAttempts(key, { limit: 9 });
    expect(data).toEqual(attemptsOf(events.map((one) => one.event)).map(attemptOf));
    expect(data.map((one) => [one.node, one.ended_by, one.claimed_at === null])).toEqual([
      ["n1", "returned", true],
      ["n2", "retrying", false],
      ["local", "succeeded", false],
    ]);
    const before = await tableHashes(pool);
    expect(before.attempts.rows).toBe(2);
    await rebuildProjections(pool);
    expect(await tableHashes(pool)).toEqual(before);
    await projector.stop();
  });

  it("rebuilds identical rows from the copy, and leaves the tables as they were", async () => {
    const { events } = mixedHistory();
    const projector = await start(arrayFeed(events, 7));
    await until(projector, events.length);
    const copied = (await select("SELECT FROM ledger_events")).length;
    const before = { hashes: await tableHashes(pool), shape: await shape() };
    expect(before.hashes.tasks.rows).toBeGreaterThan(10);
    expect(await rebuildProjections(pool)).toEqual({ events: copied });
    expect({ hashes: await tableHashes(pool), shape: await shape() }).toEqual(before);
    await select("UPDATE tasks SET status = 'blocked', message = 'spoiled' WHERE finished_at IS NOT NULL");
    expect(await tableHashes(pool)).not.toEqual(before.hashes);
    await rebuildProjections(pool);
    expect(await tableHashes(pool)).toEqual(before.hashes);
    await projector.stop();
  });

  it("rebuilds while the projector goes on, and misses nothing", async () => {
    const { events } = mixedHistory();
    const feed = arrayFeed(events.slice(0, 50), 5);
    const projector = await start(feed);
    const rebuilt = rebuildProjections(pool);
    for (let at = 50; at < events.length; at += 5) {
      feed.push(...events.slice(at, at + 5));
      await until(projector, Math.min(at + 5, events.length));
    }
    await rebuilt;
    await until(projector, events.length);
    const live = await tableHashes(pool);
    await rebuildProjections(pool);
    expect(await tableHashes(pool)).toEqual(live);
    await projector.stop();
  });

  it("rebuilds the same rows where events follow an end, or build on a second one", async () => {
    const history = ledgerHistory().append("t1", ...lifeOf("1.a"), bodies.sinkDelivered());
    history.append("t2", ...lifeOf("1.b"));
    const ended = history.events.at(-1)!.event.state as CarriedTask;
    history.force("t2", bodies.failed("1.b"), { ...ended, status: "failed" } as CarriedTask);
    history.force("t2", bodies.sinkDelivered(), { ...ended, status: "failed" } as CarriedTask);
    const projector = await start(arrayFeed(history.events, 3));
    await until(projector, history.events.length);
    await projector.stop();
    const before = await tableHashes(pool);
    await rebuildProjections(pool);
    expect(await tableHashes(pool)).toEqual(before);
    expect(await select("SELECT id, status FROM tasks ORDER BY id")).toEqual([
      { id: "t1", status: "succeeded" },
      { id: "t2", status: "succeeded" },
    ]);
  });

  it("lets reads and the projector go on while it rebuilds: none waits long, and none sees half a table", async () => {
    const history = ledgerHistory();
    for (let task = 0; task < 800; task++) history.append(`t${task}`, ...lifeOf(`1.${task}`));
    const feed = arrayFeed(history.events);
    const projector = await start(feed);
    await until(projector, history.events.length);
    const reader = openPool({ url: server.url, size: 1, log });
    const waits: number[] = [];
    const counts = new Set<number>();
    let rebuilding = true;
    const reading = (async () => {
      while (rebuilding) {
        const began = performance.now();
        const [row] = await asOwner(reader, async (client) => {
          const { rows } = await client.query<{ count: number }>("SELECT count(*)::int AS count FROM tasks");
          return rows;
        });
        waits.push(performance.now() - began);
        counts.add(row!.count);
      }
    })();
    const rebuilt = rebuildProjections(pool);
    history.append("late", ...lifeOf("1.late"));
    feed.push(...history.events.slice(-5));
    expect(await rebuilt).toMatchObject({ events: expect.any(Number) });
    await until(projector, history.events.length);
    rebuilding = false;
    await reading;
    await reader.end();
    expect(Math.max(...waits)).toBeLessThan(4_000);
    expect(waits.length).toBeGreaterThan(3);
    expect([...counts].every((count) => count === 800 || count === 801)).toBe(true);
    const live = await tableHashes(pool);
    await rebuildProjections(pool);
    expect(await tableHashes(pool)).toEqual(live);
    await projector.stop();
  });

  it("leaves the old read models in force when it is killed half-way, and does it over", async () => {
    const { events } = mixedHistory();
    const projector = await start(arrayFeed(events));
    await until(projector, events.length);
    await projector.stop();
    const before = await tableHashes(pool);
    const die = () => {
      throw new Error("killed");
    };
    await expect(rebuildProjections(pool, die)).rejects.toThrow("killed");
    expect(await tableHashes(pool)).toEqual(before);
    await rebuildProjections(pool);
    expect(await tableHashes(pool)).toEqual(before);
    expect(await select("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'cazi_%'")).toEqual([]);
  });

  it("refuses a rebuild beside another one with a code, and the first one is not disturbed", async () => {
    const { events } = mixedHistory();
    const projector = await start(arrayFeed(events));
    await until(projector, events.length);
    await projector.stop();
    const before = await tableHashes(pool);
    const outcomes = await Promise.allSettled([rebuildProjections(pool), rebuildProjections(pool)]);
    expect(outcomes.map((one) => (one.status === "fulfilled" ? "done" : one.reason.code)).sort()).toEqual([
      "REBUILD_RUNNING",
      "done",
    ]);
    expect(await tableHashes(pool)).toEqual(before);
    await rebuildProjections(pool);
    expect(await tableHashes(pool)).toEqual(before);
  });

  it("takes over from a rebuild that seems dead, which notices and ends with a code", async () => {
    const { events } = mixedHistory();
    const projector = await start(arrayFeed(events));
    await until(projector, events.length);
    await projector.stop();
    const before = await tableHashes(pool);
    const seemsDead = () => select("UPDATE cazi_rebuild.run SET worked_at = now() - interval '31 seconds'");
    const others: Readonly<Record<string, () => Promise<unknown>>> = {
      "has finished": () => rebuildProjections(pool),
      works: () => select("UPDATE cazi_rebuild.run SET id = 'other', worked_at = now()"),
    };
    for (const [other, begin] of Object.entries(others)) {
      let asleep = true;
      const old = rebuildProjections(pool, async () => {
        if (!asleep) return;
        asleep = false;
        await expect(rebuildProjections(pool)).rejects.toMatchObject({ code: "REBUILD_RUNNING" });
        await seemsDead();
        await begin();
      });
      await expect(old, `the other ${other}`).rejects.toMatchObject({ code: "REBUILD_RUNNING" });
      expect(await tableHashes(pool)).toEqual(before);
    }
    // As after a kill: what is left is the other's, for a while.
    await expect(rebuildProjections(pool)).rejects.toMatchObject({ code: "REBUILD_RUNNING" });
    await seemsDead();
    await rebuildProjections(pool);
    expect(await tableHashes(pool)).toEqual(before);
  });

  it("does not rebuild while a repair gives the copy another epoch", async () => {
    await select(
      "INSERT INTO ledger_repairs (id, shard, plan, phase, from_epoch, started_at) VALUES ('r', 0, 'append', 'filling', 'e', 1)",
    );
    await expect(rebuildProjections(pool)).rejects.toMatchObject({ code: "LEDGER_REGRESSED" });
    await select("DELETE FROM ledger_repairs");
  });

  /** What a swap must not change: columns, constraints, indexes, rights. */
  async function shape() {
    return {
      columns: await select(
        "SELECT column_name, data_type, is_nullable FROM information_schema.columns WHERE table_schema = 'public' AND table_name IN ('tasks', 'attempts') ORDER BY table_name, 1",
      ),
      constraints: await select(
        "SELECT conname, pg_get_constraintdef(oid) AS definition FROM pg_constraint WHERE conrelid = 'public.tasks'::regclass ORDER BY 1",
      ),
      indexes: await select(
        "SELECT indexname, indexdef FROM pg_indexes WHERE tablename = 'tasks' ORDER BY 1",
      ),
      grants: await select(
        "SELECT grantee::regrole::text, privilege_type FROM pg_class, aclexplode(relacl) WHERE oid = 'public.tasks'::regclass ORDER BY 1, 2",
      ),
      options: await select("SELECT reloptions FROM pg_class WHERE oid = 'public.tasks'::regclass"),
    };
  }
});

/** Many tasks in every kind of state, of two tenants. */
function mixedHistory() {
  const history = ledgerHistory();
  const fence = "1.a";
  for (let index = 0; index < 12; index++) {
    const key = (name: string) => `${index % 2 ? "acme" : "default"}/${name}${index}`;
    history.append(key("done"), ...lifeOf(fence));
    history.append(key("waiting"), bodies.submitted({ name: `n${index}`, labels: { index: String(index) } }));
    history.append(key("back"), bodies.submitted(), bodies.scheduled(fence), bodies.returned(fence));
    history.append(
      key("again"),
      ...lifeOf(fence).slice(0, 4),
      bodies.retrying(fence),
      bodies.scheduled("2.b"),
      bodies.returned("2.b"),
      bodies.scheduled("3.c", "n2"),
      bodies.claimed("3.c"),
    );
    history.append(key("gone"), ...lifeOf(fence), bodies.sinkDelivered(), bodies.erased());
    history.append(
      key("broken"),
      ...lifeOf(fence).slice(0, 3),
      bodies.failed(fence, { message: "no \0 such" }),
    );
  }
  return history;
}

/** The contract of a feed, from memory: in order, one batch at a time, the next when the promise settles. */
function arrayFeed(initial: readonly StoredEvent[], batchMax = 1_000, ofEpoch = epoch) {
  const events = [...initial];
  const pumps = new Set<() => void>();
  const follow = (follower: LedgerFollower): Following => {
    let position = follower.after;
    let busy = false;
    let stopped = false;
    const pump = async () => {
      if (busy) return;
      busy = true;
      const max = Math.min(batchMax, follower.batchMax);
      for (let batch = next(); batch.length > 0 && !stopped; batch = next()) {
        try {
          await follower.onEvents(batch);
          position = batch.at(-1)!.seq;
        } catch (error) {
          stopped = true;
          follower.onStopped(error);
        }
      }
      busy = false;
      function next() {
        return events.filter((one) => one.seq > position).slice(0, max);
      }
    };
    const run = () => void pump();
    pumps.add(run);
    run();
    return {
      get position() {
        return position;
      },
      stop: async () => {
        stopped = true;
        pumps.delete(run);
      },
    };
  };
  return {
    epoch: ofEpoch,
    shard,
    follow,
    lastSeq: async () => events.at(-1)?.seq ?? 0,
    push: (...more: readonly StoredEvent[]) => {
      events.push(...more);
      for (const run of pumps) run();
    },
  };
}
