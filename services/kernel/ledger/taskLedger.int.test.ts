import { randomUUID } from "node:crypto";
import { ErrorCode, NatsError } from "nats";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { decodeTaskEvent } from "../../../schemas/taskEvents.ts";
import { ensure } from "../../../streams/ensure.ts";
import { ledgerOnNats, openLedger, silentLog, submitCommand } from "../../../test/support/ledgerOnNats.ts";
import { waitFor } from "../../../test/support/waitFor.ts";
import { withNats } from "../../../test/support/withNats.ts";
import { isRefusal } from "../../domain/refusal.ts";
import { newId } from "../ids.ts";
import type { Nats } from "../nats/connectNats.ts";
import { appendEvent } from "./appendEvent.ts";
import { askLeader } from "./askLeader.ts";
import { openLedgerFeed } from "./ledgerFeed.ts";
import type { StoredEvent } from "./storedEvent.ts";
import type { TaskLedger } from "./taskLedger.ts";

const server = withNats();
let nats: Nats;
let ledger: TaskLedger;

beforeAll(async () => {
  ({ nats, ledger } = await ledgerOnNats(server));
});
afterAll(() => nats.close());

const newKey = () => ({ tenant: "default", task: newId(Date.now()) });
const schedule = (node: string) => ({ kind: "schedule", at: Date.now(), id: randomUUID(), node }) as const;

describe("the ledger of tasks", () => {
  it("changes nothing on the server when it is ensured a second time", async () => {
    const timing = { leaseMs: 2_000, nodeOfflineMs: 5_000, replicas: 1 };
    expect(await ensure(nats.js, nats.jsm, timing)).toEqual([]);
  });

  it("keeps the state in the newest message and the spec in the first", async () => {
    const key = newKey();
    await ledger.execute(key, submitCommand('{"image":"a"}'));
    await ledger.execute(key, schedule("n1"));
    expect((await ledger.load(key)).state).toMatchObject({ status: "scheduled", node: "n1", attempt: 1 });
    expect((await ledger.first(key))?.body).toMatchObject({ type: "submitted", spec: '{"image":"a"}' });
  });

  it("knows a task that was never submitted as absent", async () => {
    expect(await ledger.load(newKey())).toEqual({ state: { status: "absent" }, seq: 0 });
    expect(await ledger.first(newKey())).toBeNull();
  });

  it("lets one of many writers schedule a task, once", async () => {
    const key = newKey();
    await ledger.execute(key, submitCommand());
    const writers = Array.from({ length: 12 }, (_, index) =>
      openLedger(nats).execute(key, schedule(`n${index}`)),
    );
    const done = await Promise.all(writers);
    expect(done.filter((one) => !isRefusal(one))).toHaveLength(1);
    expect(done.filter((one) => isRefusal(one) && one.code === "TASK_NOT_PENDING")).toHaveLength(11);
  });

  it("refuses a second task of the same id on the leader's word", async () => {
    const key = newKey();
    await ledger.execute(key, submitCommand());
    expect(await ledger.execute(key, submitCommand())).toMatchObject({ refused: true, code: "TASK_EXISTS" });
  });

  it("decides again when the state it was shown is old", async () => {
    const key = newKey();
    const first = await ledger.execute(key, submitCommand());
    if (isRefusal(first)) throw new Error(first.message);
    await ledger.execute(key, schedule("n1"));
    expect(await ledger.execute(key, schedule("n2"), first)).toMatchObject({ code: "TASK_NOT_PENDING" });
  });

  it("finds its own event after an unknown outcome, even below what others appended on top", async () => {
    const key = newKey();
    await ledger.execute(key, submitCommand());
    const submitted = await ledger.load(key);
    const subject = `ledger.default.task.${key.task}`;
    const done = await ledger.execute(key, schedule("n1"));
    if (isRefusal(done)) throw new Error(done.message);
    await ledger.execute(key, {
      kind: "cancel",
      at: Date.now(),
      id: randomUUID(),
      who: submitCommand().who,
      reason: null,
    });
    const stored = await nats.jsm.streams.getMessage("LEDGER_0", { seq: done.seq });
    // The same append again, as after a lost answer: first a publish that nobody answers, then the truth.
    let publishes = 0;
    const js = new Proxy(nats.js, {
      get: (target, name, receiver) => {
        if (name !== "publish" || publishes++ > 0) return Reflect.get(target, name, receiver);
        return () => Promise.reject(new NatsError("TIMEOUT", ErrorCode.Timeout));
      },
    });
    const append = {
      stream: "LEDGER_0",
      subject,
      expected: submitted.seq,
      eventId: done.events[0]!.id,
      bytes: stored.data,
    };
    const clock = { now: () => 0, monotonicMs: () => performance.now() };
    expect(await appendEvent({ js, jsm: nats.jsm }, append, clock)).toEqual({
      result: "appended",
      seq: done.seq,
    });
    expect(await appendEvent(nats, { ...append, eventId: "another" }, clock)).toEqual({ result: "conflict" });
  });
});

describe("the feed", () => {
  it("gives every follower each event once and in order, the slow one too", async () => {
    const feed = await openLedgerFeed({ nats, log: silentLog, shard: 0 });
    const seen = { fast: [] as number[], slow: [] as number[] };
    const follow = (name: "fast" | "slow", pauseMs: number) =>
      feed.follow({
        name,
        after: 0,
        batchMax: 50,
        onEvents: async (events) => {
          if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
          seen[name].push(...events.map((event) => event.seq));
        },
        onStopped: (error) => {
          throw error;
        },
      });
    follow("fast", 0);
    follow("slow", 5);
    await Promise.all(Array.from({ length: 300 }, () => ledger.execute(newKey(), submitCommand())));
    const last = await feed.lastSeq();
    const all = Array.from({ length: last }, (_, index) => index + 1);
    await waitFor(
      "both followers to be at the end",
      () => seen.slow.at(-1) === last && seen.fast.at(-1) === last,
    );
    expect(seen.fast).toEqual(all);
    expect(seen.slow).toEqual(all);
    await feed.stop();
  });

  it("goes on without a gap after the server was killed and started again", async () => {
    const feed = await openLedgerFeed({ nats, log: silentLog, shard: 0 });
    const seen: StoredEvent[] = [];
    const after = await feed.lastSeq();
    feed.follow({
      name: "test",
      after,
      batchMax: 100,
      onEvents: async (events) => void seen.push(...events),
      onStopped: () => undefined,
    });
    await ledger.execute(newKey(), submitCommand());
    await server.kill();
    await server.restart();
    const key = newKey();
    // The first append after the outage may meet it; the ledger's budget carries it over.
    await ledger.execute(key, submitCommand());
    await waitFor("the event after the restart", () => seen.some((one) => one.event.task === key.task), {
      deadlineMs: 15_000,
    });
    const last = await feed.lastSeq();
    await waitFor("the newest event", () => seen.at(-1)?.seq === last);
    expect(seen.map((one) => one.seq)).toEqual(
      Array.from({ length: last - after }, (_, index) => after + index + 1),
    );
    expect(decodeTaskEvent(seen.at(-1)!.bytes)).toEqual(seen.at(-1)!.event);
    await feed.stop();
  });

  it("stops a follower loudly at an event it cannot read, after all that came before", async () => {
    const feed = await openLedgerFeed({ nats, log: silentLog, shard: 0 });
    const seen: number[] = [];
    const after = await feed.lastSeq();
    const stopped = new Promise<unknown>((resolve) => {
      feed.follow({
        name: "test",
        after,
        batchMax: 10,
        onEvents: async (events) => void seen.push(...events.map((one) => one.seq)),
        onStopped: resolve,
      });
    });
    await ledger.execute(newKey(), submitCommand());
    await nats.js.publish(
      `ledger.default.task.${newId(Date.now())}`,
      new Uint8Array([0xc3, 0x01, 9, 9, 9, 9, 9, 9, 9, 9, 0]),
    );
    expect(await stopped).toMatchObject({ code: "EVENT_UNKNOWN" });
    expect(seen).toEqual([after + 1]);
    await feed.stop();
  });
});

describe("asking a server about a message by its sequence", () => {
  it("gives it, and nothing of one that was deleted within the stream or at its end", async () => {
    const name = "ASKED";
    await nats.jsm.streams.add({ name, subjects: ["asked"] });
    for (const text of ["a", "b", "c", "d"]) await nats.js.publish("asked", text);
    await nats.jsm.streams.deleteMessage(name, 2);
    await nats.jsm.streams.deleteMessage(name, 4);
    const pauses: number[] = [];
    const ask = (seq: number) => askLeader(nats.jsm, name, seq, async (ms) => void pauses.push(ms));
    expect(await ask(1)).toMatchObject({ seq: 1, subject: "asked", data: new Uint8Array([97]) });
    expect(await ask(2)).toBeNull();
    expect(pauses).toEqual([]);
    expect(await ask(4)).toBeNull();
    expect(pauses).toHaveLength(2);
    await expect(ask(5)).rejects.toThrow("whose leader ends at 4");
    await nats.jsm.streams.delete(name);
  });
});
