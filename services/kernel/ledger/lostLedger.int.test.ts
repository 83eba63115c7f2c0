/** What a writer does when the ledger is cut or made anew under its very connection: it decides nothing on it. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ensure } from "../../../streams/ensure.ts";
import { ledgerStream, DEFAULT_SHARD as shard } from "../../../streams/streams.ts";
import { ledgerOnNats, submitCommand, testPolicy } from "../../../test/support/ledgerOnNats.ts";
import { withNats } from "../../../test/support/withNats.ts";
import { systemClock as clock } from "../clock.ts";
import { newId } from "../ids.ts";
import type { Nats } from "../nats/connectNats.ts";
import { appendEvent } from "./appendEvent.ts";
import { checkWitness } from "./checkWitness.ts";
import { createTaskLedger } from "./taskLedger.ts";
import { createWriteGate, type RegressionCheck } from "./writeGate.ts";

const server = withNats();
const stream = ledgerStream(shard);
const timing = { leaseMs: 2_000, nodeOfflineMs: 5_000, replicas: 1 };
let nats: Nats;

beforeAll(async () => {
  ({ nats } = await ledgerOnNats(server));
});
afterAll(() => nats.close());

const newKey = () => ({ tenant: "default", task: newId(Date.now()) });
const schedule = () => ({ kind: "schedule", at: Date.now(), id: randomUUID(), node: "n1" }) as const;

async function writer(check?: RegressionCheck) {
  const epoch = String((await nats.jsm.streams.info(stream)).created);
  const own: RegressionCheck = async (witness) =>
    witness === null ? "ok" : await checkWitness(nats, { shard, epoch, witness });
  const gate = createWriteGate({ nats, clock, check: check ?? own, onRegressed: () => undefined });
  return { gate, ledger: createTaskLedger({ nats, clock, policy: testPolicy, gate, shard }) };
}

it("does not call a task absent that it finds in a ledger which has lost events", async () => {
  const { ledger } = await writer(async () => ({ regressed: "it was cut" }));
  await expect(ledger.execute(newKey(), schedule())).rejects.toMatchObject({ code: "LEDGER_REGRESSED" });
});

it("does not call a task absent when there is no ledger at all", async () => {
  const { ledger } = await writer();
  const key = newKey();
  await ledger.execute(key, submitCommand());
  await nats.jsm.streams.delete(stream);
  await expect(ledger.load(key)).rejects.toMatchObject({ code: "LEDGER_UNAVAILABLE" });
  await ensure(nats.js, nats.jsm, timing);
});

it("finds out by the sequence of its own append that the stream was made anew, and acknowledges nothing more", async () => {
  const { gate, ledger } = await writer();
  await ledger.execute(newKey(), submitCommand());
  await ledger.execute(newKey(), submitCommand());
  await nats.jsm.streams.delete(stream);
  await ensure(nats.js, nats.jsm, timing);
  await expect(ledger.execute(newKey(), submitCommand())).rejects.toMatchObject({ code: "LEDGER_REGRESSED" });
  await expect(ledger.execute(newKey(), submitCommand())).rejects.toMatchObject({ code: "LEDGER_REGRESSED" });
  expect(gate.state).toBe("regressed");
  expect((await nats.jsm.streams.info(stream)).state.last_seq).toBe(1);
});

it("asks the gate again before it repeats an append whose outcome it does not know", async () => {
  const { ledger } = await writer();
  const done = await ledger.execute(newKey(), submitCommand());
  const { seq } = done as { seq: number };
  const stored = await nats.jsm.streams.getMessage(stream, { seq });
  let publishes = 0;
  const js = new Proxy(nats.js, {
    get: (target, name, receiver) =>
      name === "publish"
        ? () => Promise.reject(new Error(`${++publishes}`))
        : Reflect.get(target, name, receiver),
  });
  const append = { stream, subject: `${stored.subject}x`, expected: 0, eventId: "e", bytes: stored.data };
  const refuse = () => Promise.reject(new Error("the gate is shut"));
  await expect(appendEvent({ js, jsm: nats.jsm }, append, clock, undefined, refuse)).rejects.toThrow();
  expect(publishes).toBe(1);
});
