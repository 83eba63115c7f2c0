/** The ledger of a running home, read past the API: what is really stored. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { JsMsg } from "nats";
import { decodeTaskEvent } from "../../schemas/taskEvents.ts";
import { terminalEventTypes } from "../../services/domain/task/taskEvent.ts";
import {
  askAhead,
  askLeader,
  leaderQuestionsMax,
  type ReadMessage,
} from "../../services/kernel/ledger/askLeader.ts";
import type { StoredEvent } from "../../services/kernel/ledger/storedEvent.ts";
import { connectNats } from "../../services/kernel/nats/connectNats.ts";
import { DEFAULT_SHARD, ledgerStream } from "../../streams/streams.ts";
import { filters } from "../../streams/subjects.ts";

export interface ServerAddress {
  readonly url: string;
  readonly credsFile: string;
}

/** The embedded NATS server of a home. */
export function natsOfHome(home: string): ServerAddress {
  const port = readFileSync(join(home, "nats", "port"), "utf8").trim();
  return { url: `nats://127.0.0.1:${port}`, credsFile: join(home, "nats", "keys", "services.creds") };
}

/** Messages in the ledger's stream. */
export async function ledgerLength(server: ServerAddress): Promise<number> {
  const nats = await connectNats({ ...server, name: "test", firstWaitMs: 10_000 });
  try {
    return (await nats.jsm.streams.info(ledgerStream(DEFAULT_SHARD))).state.messages;
  } finally {
    await nats.close();
  }
}

/**
 * Everything in the ledger, in order; on a cluster as its leader holds it, which is what the product goes by (INV-LEADER-READ).
 * @param known what was read before, from the first event on: only what came since is read
 */
export async function readLedger(
  server: ServerAddress,
  known: readonly StoredEvent[] = [],
): Promise<readonly StoredEvent[]> {
  const nats = await connectNats({ ...server, name: "test", firstWaitMs: 10_000 });
  try {
    const stream = ledgerStream(DEFAULT_SHARD);
    const { state, config } = await nats.jsm.streams.info(stream);
    const { messages, last_seq } = state;
    const first = (known.at(-1)?.seq ?? 0) + 1;
    if (messages === 0 || last_seq < first) return known;
    const events = [...known];
    const consumer = await nats.js.consumers.get(stream, {
      filterSubjects: filters.ledger,
      opt_start_seq: first,
    });
    const read = askAhead<JsMsg, ReadMessage | null>(
      await consumer.consume({ max_messages: 1000 }),
      async (message) => (config.num_replicas > 1 ? askLeader(nats.jsm, stream, message.seq) : message),
      leaderQuestionsMax,
    );
    for await (const { message, answer } of read) {
      if (answer !== null)
        events.push({
          seq: answer.seq,
          subject: answer.subject,
          bytes: answer.data,
          event: decodeTaskEvent(answer.data),
        });
      if (message.seq >= last_seq || message.info.pending === 0) break;
    }
    return events;
  } finally {
    await nats.close();
  }
}

/** Each subject's events, in order. */
export function bySubject(events: readonly StoredEvent[]): ReadonlyMap<string, readonly StoredEvent[]> {
  const found = new Map<string, StoredEvent[]>();
  for (const one of events) {
    const before = found.get(one.subject);
    if (before === undefined) found.set(one.subject, [one]);
    else before.push(one);
  }
  return found;
}

/** How many of a task's events say that it is over. */
export function endsIn(events: readonly StoredEvent[]): number {
  const terminal: ReadonlySet<string> = new Set(terminalEventTypes);
  return events.filter(({ event }) => terminal.has(event.body.type)).length;
}
