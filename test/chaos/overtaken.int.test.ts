/**
 * Writers that meet on a cluster, whose comparison of sequences lets more than one of them through: a gate before each
 * server holds their appends back until all stand there, and lets them go at once.
 */
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
import { type MessageGate, openMessageGate } from "./ground/messageGate.ts";
import { startNatsCluster } from "./ground/natsCluster.ts";
import type { NatsServers } from "./ground/natsServers.ts";

const tasks = 60;
let cluster: NatsServers;
let gates: MessageGate[];
let clients: Nats[];

beforeAll(async () => {
  cluster = await startNatsCluster();
  const connect = (url: string) => connectNats({ ...cluster, url, name: "test", firstWaitMs: 10_000 });
  const first = await connect(cluster.url);
  const timing = { leaseMs: 2_000, nodeOfflineMs: 5_000, replicas: 3 };
  // Right after it has formed, the leader may not have heard of both others.
  await waitFor("three servers to take streams", () => ensure(first.js, first.jsm, timing), {
    deadlineMs: 60_000,
  });
  const leader = (await first.jsm.streams.info("LEDGER_0")).cluster!.leader!;
  await first.close();
  // All at the leader: what comes by way of another server comes later.
  const at = cluster.url.split(",")[Number(leader.slice(1)) - 1]!;
  gates = await Promise.all(["a", "b", "c"].map(() => openMessageGate(at)));
  clients = await Promise.all(gates.map(({ url }) => connect(url)));
});
afterAll(async () => {
  await Promise.all(clients.map((one) => one.close()));
  for (const gate of gates) gate.close();
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
    const held = gates.map((gate) => gate.hold(/^ledger\./));
    const deciding = Promise.all(
      keys.flatMap((key) =>
        ledgers.map((ledger, index) =>
          ledger.execute(key, { kind: "schedule", at: Date.now(), id: randomUUID(), node: `n${index}` }),
        ),
      ),
    );
    await waitFor("every append to stand before its server", () => held.every((one) => one.held() === tasks));
    for (let sent = 0; sent < tasks; sent++) for (const one of held) one.release(1);
    for (const one of held) one.release();
    const done = await deciding;
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
    // Each that was overtaken took a sequence. Later servers compare with what they have proposed as well.
    const [, minor = 0] = clients[0]!.connection.info!.version.split(".").map(Number);
    if (minor < 10) expect(state.last_seq).toBeGreaterThan(2 * tasks);
    // What was deleted hides nothing: each goes on, once, and nobody is born again.
    const again = await ledgers[0]!.execute(keys[0]!, submitCommand());
    expect(again).toMatchObject({ code: "TASK_EXISTS" });
    const cancel = { kind: "cancel", who: submitCommand().who, reason: null } as const;
    const cancelled = await Promise.all(
      keys.map((key) => ledgers[2]!.execute(key, { ...cancel, at: Date.now(), id: randomUUID() })),
    );
    expect(cancelled.filter((one) => isRefusal(one))).toEqual([]);
    await waitFor("every reader to have read that", () => read.length >= 3 * tasks);
    expect(
      (await Promise.all(keys.map((key) => ledgers[0]!.load(key)))).map((one) => one.state.status),
    ).toEqual(keys.map(() => "cancelled"));
    await following.stop();
    await feed.stop();
  });
});
