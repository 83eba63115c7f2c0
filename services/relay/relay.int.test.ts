/** The relay on a real server: killed between any two steps, paused, overtaken, cut off; the feed stays the ledger. */
import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { streamConfig } from "../../streams/ensure.ts";
import { eventsStream, ledgerStream, streams } from "../../streams/streams.ts";
import { expectFeedIsLedger, readStream } from "../../test/support/feedOnNats.ts";
import { ledgerOnNats, openLedger, silentLog, submitCommand } from "../../test/support/ledgerOnNats.ts";
import { waitFor } from "../../test/support/waitFor.ts";
import { withNats } from "../../test/support/withNats.ts";
import { systemClock } from "../kernel/clock.ts";
import { Rejection, Retryable } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { openLedgerFeed } from "../kernel/ledger/ledgerFeed.ts";
import type { Nats } from "../kernel/nats/connectNats.ts";
import { cursorsOnNats, eventsOnNats, ledgerOnNats as lookAtLedger } from "./natsPorts.ts";
import type { CursorStore, EventsStream } from "./ports.ts";
import { type Relay, type RelayPorts, startRelay } from "./startRelay.ts";

const EVENTS = eventsStream(0);
const LEDGER = ledgerStream(0);
const server = withNats();
let nats: Nats;
let write: (tasks: number) => Promise<void>;
const ends: (() => Promise<void>)[] = [];

beforeAll(async () => {
  ({ nats } = await ledgerOnNats(server));
  const ledger = openLedger(nats);
  write = async (tasks) => {
    const one = async () => {
      const key = { tenant: "acme", task: newId(Date.now()) };
      await ledger.execute(key, submitCommand());
      await ledger.execute(key, { kind: "schedule", node: "n1", id: randomUUID(), at: Date.now() });
    };
    await Promise.all(Array.from({ length: tasks }, one));
  };
});
afterAll(() => nats.close());
beforeEach(async () => {
  for (const name of [EVENTS, LEDGER]) await remake(name);
  const cursors = await nats.js.views.kv("cursors");
  for (const key of ["relay.0", "epochs.0"]) await cursors.purge(key);
});
afterEach(async () => {
  await Promise.all(ends.splice(0).map((end) => end()));
});

async function remake(name: string): Promise<void> {
  await nats.jsm.streams.delete(name);
  await nats.jsm.streams.add(streamConfig(streams.find((one) => one.name === name)!, 1) as { name: string });
}

/** A relay with parts of its own, as a process has them. */
async function begin(change: Partial<RelayPorts> = {}): Promise<Relay> {
  const feed = await openLedgerFeed({ nats, log: silentLog, shard: 0 });
  ends.push(() => feed.stop());
  const ports: RelayPorts = {
    feed,
    events: eventsOnNats(nats, 0, Date.now),
    ledger: lookAtLedger(nats, 0),
    cursors: cursorsOnNats(nats, 0),
    gate: { open: async () => undefined, wrote: () => undefined },
    lease: { held: () => true },
    clock: systemClock,
    log: silentLog,
    ...change,
  };
  const relay = await startRelay(ports);
  ends.push(() => relay.stop());
  return relay;
}

const all = async (relay: Relay, what = "all to be fed") => {
  const { state } = await nats.jsm.streams.info(LEDGER);
  await waitFor(what, () => relay.position().seq === state.last_seq, { deadlineMs: 20_000 });
};

/** Ports of a process that dies at its `dieAt`th step: nothing has an effect any more, and nothing answers well. */
function mortal(dieAt: number) {
  let steps = 0;
  const dies = () => ++steps >= dieAt;
  const dead = () => steps >= dieAt;
  const killed = () => new Rejection("KILLED", "the process is dead");
  const inner = eventsOnNats(nats, 0, Date.now);
  const bucket = cursorsOnNats(nats, 0);
  const events: EventsStream = {
    ...inner,
    look: async () => {
      if (dead()) throw killed();
      return inner.look();
    },
    publish: async (message, lastSeq) => {
      if (dies()) return "unknown";
      const outcome = await inner.publish(message, lastSeq);
      // The step between the server's store and our knowing of it.
      return dies() ? "unknown" : outcome;
    },
  };
  const cursors: CursorStore = {
    ...bucket,
    keep: async (cursor) => {
      if (dies()) throw killed();
      await bucket.keep(cursor);
      if (dies()) throw killed();
    },
  };
  return { events, cursors };
}

describe("the feed", () => {
  it("holds every transition once when its relay is killed between any two steps", async () => {
    for (let dieAt = 1; dieAt <= 14; dieAt++) {
      await write(2);
      const relay = await begin(mortal(dieAt));
      await Promise.race([relay.stopped, all(relay).catch(() => undefined)]);
      await relay.stop();
    }
    const last = await begin();
    await all(last);
    expect(await expectFeedIsLedger(nats)).toBe(56);
    expect(last.trouble()).toBeNull();
  });

  it("holds every transition once when an old relay that was stopped wakes up behind a new one", async () => {
    await write(20);
    let wake: () => void = () => undefined;
    const asleep = new Promise<void>((resolve) => {
      wake = resolve;
    });
    const inner = eventsOnNats(nats, 0, Date.now);
    let published = 0;
    const old = await begin({
      events: {
        ...inner,
        // What it had sent is stored; the rest lies in its buffers until it wakes.
        publish: async (message, lastSeq) => {
          if (++published > 10) await asleep;
          return inner.publish(message, lastSeq);
        },
      },
    });
    await waitFor("the old one to have begun", async () => (await inner.look()).lastSeq >= 10);
    const fresh = await begin();
    await all(fresh);
    await write(20);
    wake();
    await Promise.all([all(fresh), all(old)]);
    expect(await expectFeedIsLedger(nats)).toBe(80);
  });

  it("holds every transition once with two relays at the same time", async () => {
    const relays = await Promise.all([begin(), begin(), begin()]);
    for (let round = 0; round < 5; round++) await write(30);
    await Promise.all(relays.map((relay) => all(relay)));
    expect(await expectFeedIsLedger(nats)).toBe(300);
  });

  it("holds every transition once when the server is killed and started again", async () => {
    const relay = await begin();
    await write(150);
    await server.kill();
    await server.restart();
    await waitFor("the connection to be back", () => nats.connected(), { deadlineMs: 20_000 });
    await write(150);
    await all(relay);
    expect(await expectFeedIsLedger(nats)).toBe(600);
  });

  it("is fed again from the ledger's start when it was made anew under a running relay", async () => {
    const relay = await begin();
    await write(3);
    await all(relay);
    await remake(EVENTS);
    await write(1);
    expect(await relay.stopped).toMatchObject({ code: "FEED_SHORTER" });
    await all(await begin());
    expect(await expectFeedIsLedger(nats)).toBe(8);
  });

  it("loses what is older than its bound, and never its newest message", async () => {
    const relay = await begin();
    await write(5);
    await all(relay);
    const { keptMs } = streams.find(({ name }) => name === EVENTS)!;
    expect(await eventsOnNats(nats, 0, Date.now).prune()).toBe(0);
    expect(await eventsOnNats(nats, 0, () => Date.now() + keptMs! + 60_000).prune()).toBe(9);
    expect((await readStream(nats, EVENTS)).map(({ seq }) => seq)).toEqual([10]);
    await relay.stop();
    await write(1);
    await all(await begin());
    expect((await readStream(nats, EVENTS)).map(({ seq }) => seq)).toEqual([10, 11, 12]);
  });

  it("goes on from the kept cursor when it was emptied, and not without one", async () => {
    await write(3);
    await all(await begin());
    const cursors = cursorsOnNats(nats, 0);
    await waitFor("the cursor to be kept", async () => (await cursors.kept())?.eventsSeq === 6);
    await Promise.all(ends.splice(0).map((end) => end()));
    await nats.jsm.streams.purge(EVENTS);
    await write(1);
    await all(await begin());
    expect((await readStream(nats, EVENTS)).map(({ seq }) => seq)).toEqual([7, 8]);
    await nats.jsm.streams.purge(EVENTS);
    await (await nats.js.views.kv("cursors")).purge("relay.0");
    await expect(begin()).rejects.toMatchObject({ code: "FEED_PLACE_LOST" });
  });

  it("is not written beside a message that is not the relay's", async () => {
    await nats.js.publish("events.acme.task.succeeded.t1", "forged");
    await expect(begin()).rejects.toMatchObject({ code: "FEED_FOREIGN_MESSAGE" });
  });
});

describe("beside a ledger that has lost events, the relay", () => {
  it("stops when the ledger is made anew under it, and feeds nothing of the new one", async () => {
    const relay = await begin();
    await write(3);
    await all(relay);
    await remake(LEDGER);
    expect(await relay.stopped).toMatchObject({ code: "LEDGER_REGRESSED" });
    expect(relay.trouble()).toContain("made anew");
    await write(5);
    await expect(begin()).rejects.toMatchObject({ code: "LEDGER_REGRESSED" });
    expect(await readStream(nats, EVENTS)).toHaveLength(6);
  });

  it("stops when the regression guard says so, and waits while nobody can tell", async () => {
    const gate = { refuses: "LEDGER_UNAVAILABLE" };
    const open = async () => {
      if (gate.refuses !== "") throw new Retryable(gate.refuses, "no");
    };
    await expect(begin({ gate: { open, wrote: () => undefined } })).rejects.toMatchObject({
      code: "LEDGER_UNAVAILABLE",
    });
    gate.refuses = "";
    const relay = await begin({ gate: { open, wrote: () => undefined } });
    gate.refuses = "LEDGER_UNAVAILABLE";
    await write(1);
    await waitFor("it to wait", () => relay.trouble() !== null);
    gate.refuses = "";
    await all(relay);
    expect(relay.trouble()).toBeNull();
    gate.refuses = "LEDGER_REGRESSED";
    await write(1);
    expect(await relay.stopped).toMatchObject({ code: "LEDGER_REGRESSED" });
    expect(await readStream(nats, EVENTS)).toHaveLength(2);
  });

  it("goes on at the same sequence when a repair brought every event back to its old one", async () => {
    await write(4);
    await all(await begin());
    await Promise.all(ends.splice(0).map((end) => end()));
    const before = await readStream(nats, LEDGER);
    const from_epoch = (await lookAtLedger(nats, 0).look()).epoch;
    await remake(LEDGER);
    for (const { subject, bytes } of before) await nats.js.publish(subject, Buffer.from(bytes, "base64"));
    await expect(begin()).rejects.toMatchObject({ code: "LEDGER_REGRESSED" });
    const to_epoch = (await lookAtLedger(nats, 0).look()).epoch;
    await (await nats.js.views.kv("cursors")).put("epochs.0", JSON.stringify({ from_epoch, to_epoch }));
    await write(2);
    await all(await begin());
    expect(await expectFeedIsLedger(nats)).toBe(12);
  });
});
