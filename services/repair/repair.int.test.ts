/** Every fault of F10 on a real server's files, beside a real copy: found, repaired, every event at its old place. */
import { dirname, join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ensure } from "../../streams/ensure.ts";
import { ledgerStream, DEFAULT_SHARD as shard } from "../../streams/streams.ts";
import {
  cutInHalf,
  flipBit,
  flipLengthBit,
  ledgerBlocks,
  removeLedger,
} from "../../test/support/ledgerFiles.ts";
import { bodies, type LedgerHistory, ledgerHistory, lifeOf } from "../../test/support/ledgerHistory.ts";
import { silentLog as log } from "../../test/support/ledgerOnNats.ts";
import { waitFor } from "../../test/support/waitFor.ts";
import { withNats } from "../../test/support/withNats.ts";
import { withPostgres } from "../../test/support/withPostgres.ts";
import { systemClock as clock } from "../kernel/clock.ts";
import { openLedgerFeed } from "../kernel/ledger/ledgerFeed.ts";
import type { StoredEvent } from "../kernel/ledger/storedEvent.ts";
import { connectNats, type Nats } from "../kernel/nats/connectNats.ts";
import { migrate } from "../kernel/postgres/migrate.ts";
import { type DatabasePool, openPool } from "../kernel/postgres/openPool.ts";
import { asOwner } from "../kernel/postgres/transaction.ts";
import { recordCheck } from "./ledgerChecks.ts";
import { listConflicts } from "./listConflicts.ts";
import { isStillCopied } from "./readCopy.ts";
import { planOf, type Repairing, repairLedger } from "./repairLedger.ts";
import { beginRepair } from "./repairStore.ts";
import { standingRefusal } from "./standingRefusal.ts";
import { isWhole, surveyLedger } from "./verifyLedger.ts";
import { WatchRounds, watchLedger } from "./watchLedger.ts";

const server = withNats();
const postgres = withPostgres("native");
const stream = ledgerStream(shard);
const timing = { leaseMs: 2_000, nodeOfflineMs: 5_000, replicas: 1 };
const data = () => join(dirname(dirname(server.credsFile)), "data");
let nats: Nats;
let pool: DatabasePool;
let history: LedgerHistory;

beforeAll(async () => {
  nats = await connectNats({
    ...server,
    url: server.url,
    credsFile: server.credsFile,
    name: "test",
    firstWaitMs: 5_000,
  });
  pool = openPool({ url: postgres.url, size: 3, log });
  await migrate(pool);
});
afterAll(async () => {
  await nats.close();
  await pool.end();
});
beforeEach(async () => {
  const tables =
    "tasks, erased_copies, ledger_events, ledger_conflicts, checkpoints, ledger_checks, ledger_survivors, ledger_repairs";
  await asOwner(pool, (client) => client.query(`TRUNCATE ${tables}`));
  await nats.jsm.streams.delete(stream).catch(() => false);
  await ensure(nats.js, nats.jsm, timing);
  history = ledgerHistory();
});

const ports = (more: Partial<Repairing> = {}): Repairing => ({
  nats,
  pool,
  shard,
  clock,
  mayGoOn: () => undefined,
  tell: () => undefined,
  pause: async () => undefined,
  ...more,
});
const rounds = () => new WatchRounds({ ...ports(), log, mayLook: () => true, onDamage: () => undefined });
const select = (sql: string) => asOwner(pool, async (client) => (await client.query(sql)).rows);

async function publish(events: readonly StoredEvent[]): Promise<void> {
  for (const { subject, bytes } of events) await nats.js.publish(subject, bytes);
}

/** Copies what is in the stream as the projector does: rows of the copy and its checkpoint. */
async function copyAll(events: readonly StoredEvent[]): Promise<void> {
  const epoch = String((await nats.jsm.streams.info(stream)).created);
  await asOwner(pool, async (client) => {
    for (const { seq, subject, event, bytes } of events) {
      await client.query(
        "INSERT INTO ledger_events VALUES ($1, 'task', $2, $3, $4, $5, $6, $7, $8, $9, $10)",
        [
          ...[event.tenant, event.task, event.body.type, shard, epoch, seq, subject, event.id, event.at],
          Buffer.from(bytes),
        ],
      );
    }
    const last = events.at(-1)!;
    await client.query("INSERT INTO checkpoints VALUES ($1, $2, $3, $4)", [
      shard,
      epoch,
      last.seq,
      last.event.id,
    ]);
  });
}

async function prepare(): Promise<void> {
  await publish(history.events);
  await copyAll(history.events);
}

/** Three files of messages: the server cuts one at 8 MiB. */
function wideHistory(): void {
  const pad = "x".repeat(900_000);
  for (let n = 0; n < 20; n++) history.append(`t${n}`, bodies.submitted({ labels: { pad } }));
  history.append("small", ...lifeOf("1.a"));
}

async function damaged(damage: () => void): Promise<void> {
  await server.kill();
  damage();
  await server.restart();
  await waitFor("the connection", () => nats.connected());
  await ensure(nats.js, nats.jsm, timing);
}

/** Every event at its sequence, byte for byte, and nothing else. */
async function expectWhole(events: readonly StoredEvent[] = history.events): Promise<void> {
  const survey = await surveyLedger({ nats, pool, shard });
  expect(isWhole(survey)).toBe(true);
  expect(survey.same).toBe(events.length);
  for (const { seq, subject, bytes } of [events[0]!, events.at(-1)!]) {
    const found = await nats.jsm.streams.getMessage(stream, { seq });
    expect([found.subject, Buffer.compare(found.data, bytes)]).toEqual([subject, 0]);
  }
  expect(await standingRefusal(pool, shard)).toBeNull();
  expect(await select("SELECT count(*)::int AS count FROM ledger_conflicts")).toEqual([{ count: 0 }]);
}

describe("a stream that was deleted", () => {
  it("is made again with every event at its old sequence, and cursors get the new epoch", async () => {
    history.append("t1", ...lifeOf("1.a")).append("t2", bodies.submitted());
    await prepare();
    const before = String((await nats.jsm.streams.info(stream)).created);
    await nats.jsm.streams.delete(stream);
    expect((await planOf(ports())).plan).toMatchObject({ kind: "append", newEpoch: true });
    expect(await repairLedger(ports())).toMatchObject({ plan: "append", appended: 6 });
    await expectWhole();
    const epoch = String((await nats.jsm.streams.info(stream)).created);
    expect(
      await select("SELECT DISTINCT epoch FROM ledger_events UNION ALL SELECT epoch FROM checkpoints"),
    ).toEqual([{ epoch }, { epoch }]);
    const link = await (await nats.js.views.kv("cursors")).get(`epochs.${shard}`);
    expect(link!.json()).toMatchObject([{ from_epoch: before, to_epoch: epoch }]);
  });

  it("on disk, as found after a restart, is repaired in the stream that was made in its place", async () => {
    history.append("t1", ...lifeOf("1.a"));
    await prepare();
    await damaged(() => removeLedger(data()));
    expect(await repairLedger(ports())).toMatchObject({ plan: "append", appended: 5, restart: false });
    await expectWhole();
  });

  it("keeps the gaps that erasure left, and takes the next event behind them", async () => {
    history.append("gone", ...lifeOf("1.a"), bodies.erased()).append("t2", bodies.submitted());
    await prepare();
    await select("DELETE FROM ledger_events WHERE aggregate = 'gone' AND seq IN (1, 2, 4)");
    for (const seq of [1, 2, 3, 4, 5]) await nats.jsm.streams.deleteMessage(stream, seq);
    await rounds().look();
    expect(await standingRefusal(pool, shard)).toBeNull();
    await nats.jsm.streams.delete(stream);
    await repairLedger(ports());
    const { state } = await nats.jsm.streams.info(stream, { deleted_details: true });
    expect(state).toMatchObject({ messages: 2, first_seq: 6, last_seq: 7 });
    await expectWhole(history.events.slice(5));
    expect((await nats.js.publish(history.events[6]!.subject, history.events[6]!.bytes)).seq).toBe(8);
  });
});

describe("an erasure that is half done", () => {
  /** The copy has let go of the task, the ledger holds some of it still. */
  async function halfErased(): Promise<void> {
    history.append("t1", bodies.submitted()).append("gone", ...lifeOf("1.a"), bodies.erased());
    history.append("t2", bodies.submitted());
    await prepare();
    await select("DELETE FROM ledger_events WHERE aggregate = 'gone' AND type <> 'erased'");
    await select("INSERT INTO erased_copies VALUES (0, 5)");
    await nats.jsm.streams.deleteMessage(stream, 2);
  }

  it("is no damage, neither by counts nor by content", async () => {
    await halfErased();
    await rounds().look();
    expect(await standingRefusal(pool, shard)).toBeNull();
    expect((await planOf(ports())).plan).toMatchObject({ kind: "nothing" });
  });

  it("does not hide what else is gone, once it is done", async () => {
    await halfErased();
    for (const seq of [3, 4, 5, 6]) await nats.jsm.streams.deleteMessage(stream, seq);
    const watch = rounds();
    await watch.look();
    expect(await standingRefusal(pool, shard)).toBeNull();
    await nats.jsm.streams.deleteMessage(stream, 1);
    await watch.look();
    expect(await standingRefusal(pool, shard)).toContain("1 missing, the first at sequence 1");
  });

  it("is not undone by a repair that makes the ledger anew, and nothing of it is saved", async () => {
    await halfErased();
    await nats.jsm.streams.deleteMessage(stream, 1);
    expect(await repairLedger(ports())).toMatchObject({ plan: "rebuild" });
    await expectWhole([history.events[0]!, ...history.events.slice(6)]);
    expect((await nats.jsm.streams.info(stream)).state.messages).toBe(3);
    expect(await select("SELECT subject FROM ledger_survivors")).toEqual([]);
  });

  it("is not taken for damage by who read the copy before the event went", async () => {
    history.append("t1", ...lifeOf("1.a"));
    await prepare();
    const { id } = history.events[1]!.event;
    expect(await isStillCopied(pool, id)).toBe(true);
    await select("DELETE FROM ledger_events WHERE seq = 2");
    expect(await isStillCopied(pool, id)).toBe(false);
  });
});

describe("files that were damaged while the server was down", () => {
  it("a last block that was cut off is appended in place", async () => {
    for (let n = 0; n < 6; n++) history.append(`t${n}`, ...lifeOf(`1.${n}`));
    await prepare();
    await damaged(() => cutInHalf(ledgerBlocks(data()).at(-1)!));
    const { plan, survey } = await planOf(ports());
    expect(plan).toMatchObject({ kind: "append", newEpoch: false });
    expect(survey.missing).toBeGreaterThan(5);
    expect(await repairLedger(ports())).toMatchObject({ appended: survey.missing, restart: false });
    await expectWhole();
  });

  it("a bit flipped in the middle, of which the server may say nothing, is found by the look that goes on by itself", async () => {
    wideHistory();
    await prepare();
    // 2.9 counts the event as before and cannot give it; from 2.10 on what follows it in its block is cut off.
    await damaged(() => flipBit(ledgerBlocks(data())[1]!));
    await rounds().look();
    expect(await standingRefusal(pool, shard)).toMatch(/ \d+ missing, the first at sequence/);
    expect(await repairLedger(ports())).toMatchObject({ plan: "rebuild", restart: true });
    await expectWhole();
  });

  it("a bit flipped in a record's length, after which thousands cannot be read, shuts the gates by the watch alone", async () => {
    for (let n = 0; n < 420; n++) history.append(`t${n}`, ...lifeOf(`1.${n}`));
    await prepare();
    await server.restart(() => flipLengthBit(ledgerBlocks(data())[0]!, 1 / 3));
    await waitFor("the connection", () => nats.connected());
    const told: string[] = [];
    const onDamage = (what: string) => void told.push(what);
    const quiet = { ...log, fatal: () => undefined } as typeof log;
    const watch = watchLedger({ ...ports(), log: quiet, mayLook: () => true, onDamage }, 50);
    await waitFor("damage to be found", () => told.length > 0, { deadlineMs: 10_000 });
    await watch.stop();
    // 2.15 cuts off all that it cannot read: then the end is another, which the guard itself sees.
    const found = `${await standingRefusal(pool, shard)}; ${told}`;
    expect(found).toMatch(/ \d+ missing, the first at sequence \d+|the ledger's end is not the copy's/);
  }, 30_000);

  it("a last block that the server cut while it ran closes the gates too, which ask the guard then", async () => {
    history.append("t1", ...lifeOf("1.a"));
    await prepare();
    await select("UPDATE checkpoints SET seq = seq + 1");
    const told: string[] = [];
    const onDamage = (what: string) => void told.push(what);
    await new WatchRounds({ ...ports(), log, mayLook: () => true, onDamage }).look();
    expect(told).toEqual(["the ledger's end is not the copy's"]);
  });

  it("a round that finds nothing is recorded as a comparison of all, and takes no damage back", async () => {
    history.append("t1", ...lifeOf("1.a"));
    await prepare();
    const round = rounds();
    await round.look();
    const check = "SELECT events, whole, missing FROM ledger_checks";
    expect(await select(check)).toEqual([{ events: 5, whole: true, missing: 0 }]);
    const clean = { copy: null, events: 5, missing: 0, altered: 0, replaced: 0, uncopied: 0, first: [] };
    await select("UPDATE ledger_checks SET missing = 1, whole = false");
    await recordCheck(pool, shard, clean, clock.now(), "round");
    expect(await standingRefusal(pool, shard)).toContain("1 missing");
  });

  it("a bit flipped in the last block, which the server cuts there, is repaired as well", async () => {
    for (let n = 0; n < 6; n++) history.append(`t${n}`, ...lifeOf(`1.${n}`));
    await prepare();
    await damaged(() => flipBit(ledgerBlocks(data()).at(-1)!));
    await repairLedger(ports());
    await expectWhole();
  });
});

describe("a ledger with holes", () => {
  it("is found by its counts at once, and keeps what was not copied yet at its sequence", async () => {
    history.append("t1", ...lifeOf("1.a")).append("t2", bodies.submitted());
    await prepare();
    history.append("t3", ...lifeOf("1.b"));
    await publish(history.events.slice(6));
    await nats.jsm.streams.deleteMessage(stream, 2);
    await rounds().look();
    expect(await standingRefusal(pool, shard)).toContain("1 missing, the first at sequence 2");
    expect(await repairLedger(ports())).toMatchObject({ plan: "rebuild", appended: 11 });
    await expectWhole(history.events.slice(0, 6));
    expect((await nats.jsm.streams.getMessage(stream, { seq: 11 })).data).toEqual(
      Uint8Array.from(history.events[10]!.bytes),
    );
  });
});

describe("a ledger that was written to after it had lost its end", () => {
  it("keeps what was acknowledged, appends new subjects behind it, and lists the rest for a person", async () => {
    history.append("t1", ...lifeOf("1.a"));
    await prepare();
    // The last three are lost; somebody goes on with the same task and begins another.
    await nats.jsm.streams.delete(stream);
    await ensure(nats.js, nats.jsm, timing);
    await publish(history.events.slice(0, 2));
    const written = ledgerHistory();
    written.append("x", bodies.submitted());
    written.force("t1", bodies.returned("1.a"), history.events[0]!.event.state, "fork-1");
    written.force("t9", bodies.submitted(), history.events[0]!.event.state, "fork-2");
    await publish(written.events.slice(1));
    expect((await planOf(ports())).plan).toMatchObject({ kind: "rebuild" });
    expect(await repairLedger(ports())).toMatchObject({ plan: "rebuild", appended: 6 });
    await expectWhole();
    const kept = await nats.jsm.streams.getMessage(stream, { seq: 6 });
    expect(kept.subject).toBe(written.events[2]!.subject);
    expect(await listConflicts(pool, shard, 10)).toMatchObject([
      { seq: 3, why: "moved_on", event_id: "fork-1", subject: written.events[1]!.subject },
    ]);
  });
});

describe("a repair that is killed", () => {
  const steps: readonly [string, () => Partial<Repairing>][] = [
    ["before it changed anything", () => ({ pause: () => Promise.reject(new Error("killed")) })],
    ["while it saves", () => ({ mayGoOn: dieAt(1) })],
    ["when the stream is made anew", () => ({ tell: dieAtText("made anew at") })],
    ["while it fills", () => ({ mayGoOn: dieAt(2) })],
  ];

  it.each(steps)("%s keeps gates closed, and is finished by the next", async (_when, fault) => {
    history.append("t1", ...lifeOf("1.a")).append("t2", bodies.submitted());
    await prepare();
    await nats.jsm.streams.deleteMessage(stream, 2);
    await expect(repairLedger(ports(fault()))).rejects.toThrow("killed");
    expect(await standingRefusal(pool, shard)).toContain("cazi ledger repair");
    await repairLedger(ports());
    await expectWhole();
  });

  it("is the only one of its shard", async () => {
    history.append("t1", bodies.submitted());
    await prepare();
    const one = { shard, plan: "append", epoch: "e", at: 1 } as const;
    await beginRepair(pool, { ...one, id: "first" });
    await expect(beginRepair(pool, { ...one, id: "second" })).rejects.toThrow(/ledger_repairs_one_at_a_time/);
  });
});

function dieAt(call: number): () => void {
  let calls = 0;
  return () => {
    if (++calls === call) throw new Error("killed");
  };
}

function dieAtText(text: string): (told: string) => void {
  return (told) => {
    if (told.includes(text)) throw new Error("killed");
  };
}

it("a server whose feed is read while gaps are filled gives followers events only", async () => {
  history.append("t1", ...lifeOf("1.a"), bodies.erased()).append("t2", bodies.submitted());
  await prepare();
  await select("DELETE FROM ledger_events WHERE seq < 6");
  await nats.jsm.streams.delete(stream);
  await ensure(nats.js, nats.jsm, timing);
  const feed = await openLedgerFeed({ nats, log, shard });
  const seen: number[] = [];
  const onEvents = async (events: readonly StoredEvent[]) => void seen.push(...events.map((one) => one.seq));
  const errors: unknown[] = [];
  feed.follow({ name: "test", after: 0, batchMax: 100, onEvents, onStopped: (error) => errors.push(error) });
  await repairLedger(ports());
  await waitFor("both events", () => seen.length === 2);
  expect([seen, errors]).toEqual([[6, 7], []]);
  await feed.stop();
});
