/** Relays as processes of their own, killed and stopped under load: the feed stays the ledger, once each, in order. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../services/kernel/ids.ts";
import type { Nats } from "../../services/kernel/nats/connectNats.ts";
import { ledgerStream } from "../../streams/streams.ts";
import { subjects } from "../../streams/subjects.ts";
import { expectFeedIsLedger } from "../support/feedOnNats.ts";
import { ledgerOnNats, openLedger, submitCommand } from "../support/ledgerOnNats.ts";
import { type Fleet, makeFleet, type RoleProcess } from "../support/roleProcesses.ts";
import { waitFor } from "../support/waitFor.ts";
import { withEngine } from "../support/withEngine.ts";
import { withNats } from "../support/withNats.ts";

const nats = withNats();
const engine = withEngine();
let fleet: Fleet;
let connection: Nats;
let relays: RoleProcess[];
let writing = true;
let written: Promise<void>;

beforeAll(async () => {
  ({ nats: connection } = await ledgerOnNats(nats));
  // In the place of a projector, which has the copy: nothing is missing.
  connection.connection.subscribe(subjects.guard({ shard: 0 }), {
    callback: (_error, message) => message.respond('{"answer":"ok"}'),
  });
  fleet = await makeFleet({ nats, databaseUrl: "", dockerHost: engine.dockerHost });
  relays = await Promise.all([fleet.serve("relay"), fleet.serve("relay")]);
  written = keepWriting();
});
afterAll(async () => {
  writing = false;
  await written;
  await fleet?.remove();
  await connection?.close();
});

/** Load: tasks that are submitted and scheduled, a few hundred a second, until the end. */
async function keepWriting(): Promise<void> {
  const ledger = openLedger(connection);
  while (writing) {
    const one = async () => {
      const key = { tenant: "acme", task: newId(Date.now()) };
      await ledger.execute(key, submitCommand());
      await ledger.execute(key, { kind: "schedule", node: "n1", id: randomUUID(), at: Date.now() });
    };
    await Promise.all(Array.from({ length: 8 }, one));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const lastSeq = async (stream: string) => (await connection.jsm.streams.info(stream)).state.last_seq;
/** The process that holds the lease. */
const holder = () =>
  waitFor(
    "one of them to hold the lease",
    async () => {
      const entry = await (await connection.js.views.kv("leases")).get("relay.0");
      const pid = Number(entry?.json<{ process: string }>().process.split(".").at(-2));
      return relays.find(({ program }) => program.pid === pid) ?? null;
    },
    { deadlineMs: 20_000 },
  );
/** More of the ledger is in the feed than was in the ledger when this began. */
const goesOn = async () => {
  const target = await lastSeq(ledgerStream(0));
  await waitFor("the feed to go on", async () => (await lastSeq("EVENTS_0")) > target, {
    deadlineMs: 30_000,
  });
};

describe("a feed under load", () => {
  it("is not disturbed by a relay that stood still, lost its place, and wakes up", async () => {
    await goesOn();
    const sleeper = await holder();
    sleeper.program.child.kill("SIGSTOP");
    await waitFor("the other to take over", async () => (await holder()) !== sleeper, { deadlineMs: 20_000 });
    await goesOn();
    sleeper.program.child.kill("SIGCONT");
    await goesOn();
  });

  it("goes on with the second relay when the first is killed", async () => {
    const first = await holder();
    await first.kill();
    relays = relays.filter((one) => one !== first);
    await goesOn();
  });

  it("is in the end exactly the ledger: the same events, in its order, once each", async () => {
    writing = false;
    await written;
    const events = await lastSeq(ledgerStream(0));
    await waitFor("all to be fed", async () => (await lastSeq("EVENTS_0")) === events, {
      deadlineMs: 20_000,
    });
    expect(await expectFeedIsLedger(connection)).toBe(events);
    expect(events).toBeGreaterThan(200);
  });
});
