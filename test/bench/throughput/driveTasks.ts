import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { connect, credsAuthenticator, type JetStreamManager, type NatsConnection } from "nats";
import { feedHeaders } from "../../../schemas/messages/feed.ts";
import { checkpointNotice } from "../../../schemas/messages/node.ts";
import { isNoMessage } from "../../../services/kernel/ledger/appendEvent.ts";
import { DEFAULT_SHARD, eventsStream, ledgerStream } from "../../../streams/streams.ts";
import { subjects } from "../../../streams/subjects.ts";
import type { ApiClient } from "../system/apiClient.ts";
import { type LedgerEvent, readEvents } from "./readEvents.ts";

const doneDeadlineMs = 120_000;
/** The feed is asked this often, once Postgres has all. */
const feedPollMs = 3;
/** submitted, scheduled, claimed, running, succeeded: the end is looked for from here on. */
const eventsPerTaskMin = 5;

export interface DrivenTasks<Reading> {
  /** From the first submit until the last event of the last task is both committed in Postgres and in the feed. */
  readonly ms: number;
  /** Milliseconds of each submit, answer included. */
  readonly submitMs: readonly number[];
  readonly events: readonly LedgerEvent[];
  /** What `read` gave right before the first submit and right after the end. */
  readonly readings: { readonly before: Reading; readonly after: Reading };
}

/** Connects to the server of the system under test, beside it. */
export function connectBeside(nats: { url: string; credsFile: string }): Promise<NatsConnection> {
  return connect({
    servers: nats.url,
    authenticator: credsAuthenticator(readFileSync(nats.credsFile)),
    name: "bench",
  });
}

/**
 * Submits `count` tasks, `inFlight` at a time, and waits until each is over and every event of them projected and in
 * the public feed.
 * @throws Error when that takes too long, or when a task did not succeed
 */
export async function driveTasks<Reading>(
  connection: NatsConnection,
  client: ApiClient,
  of: {
    readonly spec: string;
    readonly count: number;
    readonly inFlight: number;
    readonly read: () => Promise<Reading>;
  },
): Promise<DrivenTasks<Reading>> {
  const jsm = await connection.jetstreamManager();
  const stream = ledgerStream(DEFAULT_SHARD);
  const from = (await jsm.streams.info(stream)).state.last_seq;
  const projected = watchProjected(connection);
  const before = await of.read();
  const began = performance.now();
  try {
    const { ids, submitMs } = await submitAll(client, of);
    let until = from + of.count * eventsPerTaskMin;
    for (;;) {
      const projectedAt = await projected.reached(until);
      const at = Math.max(projectedAt, await fedUpTo(jsm, until));
      const after = await of.read();
      const events = await readEvents(connection, { stream, from: from + 1, to: until });
      const ended = new Set(events.filter((one) => one.type === "succeeded").map((one) => one.task));
      if (ids.every((id) => ended.has(id)))
        return { ms: at - began, submitMs, events, readings: { before, after } };
      const odd = events.find((one) => one.type === "failed" || one.type === "cancelled");
      if (odd) throw new Error(`task ${odd.task} ended as ${odd.type}`);
      // Offers that came back, for instance: tasks then have more events than the least.
      until += ids.filter((id) => !ended.has(id)).length;
    }
  } finally {
    projected.stop();
  }
}

async function submitAll(
  client: ApiClient,
  of: { readonly spec: string; readonly count: number; readonly inFlight: number },
) {
  const ids: string[] = [];
  const submitMs: number[] = [];
  let left = of.count;
  const worker = async () => {
    while (left-- > 0) {
      const began = performance.now();
      ids.push(await client.submit(of.spec));
      submitMs.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: of.inFlight }, worker));
  return { ids, submitMs };
}

/** @returns when the feed's newest message was seen to be of the ledger's `seq` or a later one, on the monotonic clock */
async function fedUpTo(jsm: JetStreamManager, seq: number): Promise<number> {
  const deadline = performance.now() + doneDeadlineMs;
  for (;;) {
    const fed = await newestFed(jsm);
    if (fed >= seq) return performance.now();
    if (performance.now() > deadline) throw new Error(`the feed is at ${fed} and never came to ${seq}`);
    await pause(feedPollMs);
  }
}

/** @returns sequence in the ledger of the feed's newest event; 0 for an empty feed */
async function newestFed(jsm: JetStreamManager): Promise<number> {
  const stream = eventsStream(DEFAULT_SHARD);
  try {
    const { state } = await jsm.streams.info(stream);
    const { header } = await jsm.streams.getMessage(stream, { seq: state.last_seq });
    return Number(header.get(feedHeaders.ledgerSeq));
  } catch (error) {
    if (isNoMessage(error)) return 0;
    throw error;
  }
}

/** Follows what the projector announces. */
function watchProjected(connection: NatsConnection) {
  let newest = 0;
  const waiters = new Set<{ seq: number; tell: (at: number) => void }>();
  const subscription = connection.subscribe(subjects.checkpoint({ shard: DEFAULT_SHARD }), {
    callback: (error, message) => {
      if (error) return;
      const at = performance.now();
      newest = Math.max(newest, checkpointNotice.parse(message.json()).seq);
      for (const waiter of [...waiters]) {
        if (waiter.seq > newest) continue;
        waiters.delete(waiter);
        waiter.tell(at);
      }
    },
  });
  return {
    /** @returns when it was announced, on the monotonic clock */
    reached: (seq: number) =>
      new Promise<number>((resolve, reject) => {
        if (seq <= newest) return resolve(performance.now());
        const late = setTimeout(
          () => reject(new Error(`Postgres is at ${newest} and never came to ${seq}`)),
          doneDeadlineMs,
        );
        waiters.add({
          seq,
          tell: (at) => {
            clearTimeout(late);
            resolve(at);
          },
        });
      }),
    stop: () => subscription.unsubscribe(),
  };
}
