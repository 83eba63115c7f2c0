/** What the public feed holds, beside the ledger it is a copy of. */
import { expect } from "vitest";
import { decodeTaskEvent } from "../../schemas/taskEvents.ts";
import type { Nats } from "../../services/kernel/nats/connectNats.ts";
import { DEFAULT_SHARD, eventsStream, ledgerStream } from "../../streams/streams.ts";

export interface FedMessage {
  readonly seq: number;
  readonly subject: string;
  /** Event id in the body. */
  readonly id: string;
  /** Of the header `ce-id`. */
  readonly headerId: string | undefined;
  readonly bytes: string;
}

/** All messages of a stream of events, in order. */
export async function readStream(nats: Nats, stream: string): Promise<readonly FedMessage[]> {
  const { state } = await nats.jsm.streams.info(stream);
  const messages: FedMessage[] = [];
  if (state.messages === 0) return messages;
  const consumer = await nats.js.consumers.get(stream, {});
  for await (const message of await consumer.consume({ max_messages: 1000 })) {
    const { seq, subject, data } = message;
    const headerId = message.headers?.get("ce-id") || undefined;
    const bytes = Buffer.from(data).toString("base64");
    messages.push({ seq, subject, id: decodeTaskEvent(data).id, headerId, bytes });
    if (messages.length === state.messages) break;
  }
  return messages;
}

/** Fails unless the feed holds every event of the ledger exactly once, in its order, as its very bytes. */
export async function expectFeedIsLedger(nats: Nats): Promise<number> {
  const fed = await readStream(nats, eventsStream(DEFAULT_SHARD));
  const ledger = await readStream(nats, ledgerStream(DEFAULT_SHARD));
  expect(fed.map(({ id }) => id)).toEqual(ledger.map(({ id }) => id));
  expect(fed.map(({ headerId }) => headerId)).toEqual(ledger.map(({ id }) => id));
  expect(fed.map(({ bytes }) => bytes)).toEqual(ledger.map(({ bytes }) => bytes));
  return fed.length;
}
