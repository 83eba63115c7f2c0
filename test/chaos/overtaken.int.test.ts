/** Writers that meet on a cluster, whose comparison of sequences lets more than one of them through. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isRefusal } from "../../services/domain/refusal.ts";
import { newId } from "../../services/kernel/ids.ts";
import { openLedgerFeed } from "../../services/kernel/ledger/ledgerFeed.ts";
import type { StoredEvent } from "../../services/kernel/ledger/storedEvent.ts";
import { connectNats, type Nats } from "../../services/kernel/nats/connectNats.ts";
import { ensure } from "../../streams/ensure.ts";
import { openLedger, silentLog, submitCommand } from "../support/ledgerOnNats.ts";
import { waitFor } from "../support/waitFor.ts";
import { startNatsCluster } from "./ground/natsCluster.ts";
import type { NatsServers } from "./ground/natsServers.ts";

const tasks = 60;
let cluster: NatsServers;
let clients: Nats[];

beforeAll(async () => {
  cluster = await startNatsCluster();
  const connect = (name: string) => connectNats({ ...cluster, name, firstWaitMs: 10_000 });
  clients = await Promise.all(["a", "b", "c"].map(connect));
  const { js, jsm } = clients[0]!;
  await ensure(js, jsm, { leaseMs: 2_000, nodeOfflineMs: 5_000, replicas: 3 });
});
afterAll(async () => {
  await Promise.all(clients.map((one) => one.close()));
  await cluster.stop();
});

describe("on a cluster, writers that expect the same place", () => {
  it("are told apart: one event counts for every reader, and the others are gone", async () => {
    const feed = await openLedgerFeed({ nats: clients[0]!, log: silentLog, shard: 0 });
    expect(feed.replicated).toBe(true);
    const read: StoredEvent[] = [];
    const following = feed.follow({
      name: "test",
      after: 0,
      batchMax: 100,
      onEvents: async (events) => void read.push(...events),
      onStopped: (error) => {
        throw error;
      },
    });
    const ledgers = clients.map((nats) => openLedger(nats, { replicated: true }));
    const keys = Array.from({ length: tasks }, () => ({ tenant: "default", task: newId(Date.now()) }));
    for (const key of keys) await ledgers[0]!.execute(key, submitCommand());
    // All at once and on connections of their own: on one connection the leader would see them one after the other.
    const done = await Promise.all(
      keys.flatMap((key) =>
        ledgers.map((ledger, index) =>
          ledger.execute(key, {
            kind: "schedule",
            at: Date.now(),
            id: randomUUID(),
            node: `n${index}`,
          }),
        ),
      ),
    );
    expect(done.filter((one) => !isRefusal(one))).toHaveLength(tasks);
    const states = await Promise.all(keys.map((key) => ledgers[1]!.load(key)));
    await waitFor("every reader to have read", () => read.length >= 2 * tasks);
    for (const [index, { task }] of keys.entries()) {
      const history = read.filter(({ event }) => event.task === task);
      expect(history.map(({ event }) => event.body.type)).toEqual(["submitted", "scheduled"]);
      expect(states[index]).toMatchObject({ seq: history[1]!.seq, state: history[1]!.event.state });
    }
    const { state } = await clients[0]!.jsm.streams.info("LEDGER_0");
    expect(state.messages).toBe(2 * tasks);
    await following.stop();
    await feed.stop();
  });
});
