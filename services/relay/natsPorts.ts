import { type JetStreamManager, NatsError, type StoredMsg } from "nats";
import { epochLinks, keptCursor } from "../../schemas/messages/feed.ts";
import { decodeTaskEvent } from "../../schemas/taskEvents.ts";
import { eventsStream, ledgerStream, streams } from "../../streams/streams.ts";
import { Retryable } from "../kernel/errors.ts";
import { isNoMessage } from "../kernel/ledger/appendEvent.ts";
import type { Nats } from "../kernel/nats/connectNats.ts";
import { headersToSend } from "../kernel/nats/headerLines.ts";
import { cursorOf, fromKept, toKept } from "./feedCursor.ts";
import { ackWaitMs } from "./limits.ts";
import type { CursorStore, EventsStream, LedgerLook, Published } from "./ports.ts";

/** The shard's feed on the server. */
export function eventsOnNats(nats: Nats, shard: number, now: () => number): EventsStream {
  const name = eventsStream(shard);
  const { keptMs } = streams.find((one) => one.name === name)!;
  // An answer that was on its way when the connection broke never comes: it is not waited for.
  const waiting = new Set<(outcome: Published) => void>();
  nats.onDisconnect(() => {
    for (const settle of waiting) settle("unknown");
  });
  return {
    look: async () => {
      // A request without a connection is dropped, and would be waited for as long as one that is slow.
      if (!nats.connected())
        throw new Retryable("NATS_UNAVAILABLE", "there is no connection to NATS; waiting for it");
      const { state } = await nats.jsm.streams.info(name);
      if (state.messages === 0) return { lastSeq: state.last_seq, last: null };
      const message = await messageAt(nats.jsm, name, state.last_seq);
      if (message === null) return { lastSeq: state.last_seq, last: null };
      const cursor = cursorOf({ seq: message.seq, header: (key) => message.header.get(key) || undefined });
      return { lastSeq: state.last_seq, last: cursor ?? "foreign" };
    },
    publish: async (message, lastSeq) => {
      if (!nats.connected()) return "unknown";
      const head = headersToSend(message.headers);
      const options = { headers: head, timeout: ackWaitMs, expect: { lastSequence: lastSeq } };
      return new Promise((resolve) => {
        const settle = (outcome: Published) => {
          waiting.delete(settle);
          resolve(outcome);
        };
        waiting.add(settle);
        nats.js.publish(message.subject, message.bytes, options).then(
          () => settle("stored"),
          (error: unknown) => settle(outcomeOf(error)),
        );
      });
    },
    prune: async () => {
      if (keptMs === null) return 0;
      const { state } = await nats.jsm.streams.info(name);
      const until = await firstYoungerThan(nats.jsm, name, {
        from: state.first_seq,
        to: state.last_seq,
        after: now() - keptMs,
      });
      if (state.messages < 2 || until <= state.first_seq) return 0;
      return (await nats.jsm.streams.purge(name, { seq: until })).purged;
    },
  };
}

function outcomeOf(error: unknown): Published {
  if (!(error instanceof NatsError) || error.api_error === undefined) return "unknown";
  return error.api_error.code >= 500 ? "unknown" : "refused";
}

/**
 * The first sequence of a message stored after `after`, at most `to`: so the newest message is never before it.
 * Asks for as many messages as the range has binary digits.
 */
async function firstYoungerThan(
  jsm: JetStreamManager,
  name: string,
  range: { readonly from: number; readonly to: number; readonly after: number },
): Promise<number> {
  let { from, to } = range;
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    // The stream has holes where tasks were erased: the next message there is.
    const message = await jsm.streams.getMessage(name, { seq: middle, next_by_subj: ">" } as { seq: number });
    if (message.time.getTime() < range.after) from = Math.min(message.seq + 1, to);
    else to = middle;
  }
  return from;
}

async function messageAt(jsm: JetStreamManager, name: string, seq: number): Promise<StoredMsg | null> {
  try {
    return await jsm.streams.getMessage(name, { seq });
  } catch (error) {
    if (isNoMessage(error)) return null;
    throw error;
  }
}

export function ledgerOnNats(nats: Nats, shard: number): LedgerLook {
  const name = ledgerStream(shard);
  return {
    look: async () => {
      const { created, state } = await nats.jsm.streams.info(name);
      return { epoch: String(created), lastSeq: state.last_seq };
    },
    eventIdAt: async (seq) => {
      const message = await messageAt(nats.jsm, name, seq);
      return message === null ? null : decodeTaskEvent(message.data).id;
    },
  };
}

export function cursorsOnNats(nats: Nats, shard: number): CursorStore {
  const bucket = nats.js.views.kv("cursors");
  return {
    kept: async () => {
      const entry = await (await bucket).get(`relay.${shard}`);
      const read = keptCursor.safeParse(jsonOf(entry?.string()));
      return read.success ? fromKept(read.data) : null;
    },
    keep: async (cursor) => {
      await (await bucket).put(`relay.${shard}`, JSON.stringify(toKept(cursor)));
    },
    links: async () => {
      const entry = await (await bucket).get(`epochs.${shard}`);
      const read = epochLinks.safeParse(jsonOf(entry?.string()));
      return read.success ? read.data : [];
    },
  };
}

/** What is not JSON, or not there, is null: neither cursor nor link. */
function jsonOf(text: string | undefined): unknown {
  if (text === undefined) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
