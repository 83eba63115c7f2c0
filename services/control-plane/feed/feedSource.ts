import { DeliverPolicy, type JsMsg } from "nats";
import type { FeedGap } from "../../../schemas/api/feed.ts";
import { feedHeaders } from "../../../schemas/messages/feed.ts";
import { eventsStream } from "../../../streams/streams.ts";
import { filters } from "../../../streams/subjects.ts";
import type { Clock } from "../../kernel/clock.ts";
import { Retryable } from "../../kernel/errors.ts";
import type { Nats } from "../../kernel/nats/connectNats.ts";
import { feedFetchExpiresMs, feedFetchMessages } from "../limits.ts";
import { type FeedPlace, lifeOf } from "./feedPlace.ts";
import { type FeedEnds, removedBetween, whereToBegin } from "./whereToBegin.ts";

/** An event as it is in the feed. */
export interface FeedEntry {
  readonly seq: number;
  /** Of the feed. */
  readonly life: string;
  /** Its place in the ledger. */
  readonly ledgerSeq: number;
  readonly bytes: Uint8Array;
}

export type FeedStep =
  | { readonly kind: "event"; readonly entry: FeedEntry }
  /** Reading goes on after `at`. */
  | { readonly kind: "gap"; readonly gap: FeedGap; readonly at: FeedPlace };

/** The feed of one shard, as one tenant may read it. */
export interface FeedSource {
  /** @throws Retryable `FEED_UNAVAILABLE` */
  ends(): Promise<FeedEnds>;
  /** A tenant's events after a place, as they come, until the signal; one transition, or null for all. */
  follow(
    of: { readonly tenant: string; readonly transition: string | null; readonly after: FeedPlace },
    signal: AbortSignal,
  ): AsyncGenerator<FeedStep, void, undefined>;
}

const REOPEN_PAUSE_MS = 200;

/**
 * Reads the stream of events with a consumer of the request's own. A fetch at a time: what a slow reader has not taken
 * stays on the server, and may be removed there before it comes to it; that is a gap, and is told.
 */
export function createFeedSource(ports: {
  readonly nats: Nats;
  readonly clock: Clock;
  readonly shard: number;
}): FeedSource {
  const { nats, clock } = ports;
  const stream = eventsStream(ports.shard);

  async function ends(): Promise<FeedEnds> {
    try {
      const { created, state } = await nats.jsm.streams.info(stream);
      const firstSeq = state.messages === 0 ? state.last_seq + 1 : state.first_seq;
      return { life: lifeOf(String(created)), firstSeq, lastSeq: state.last_seq };
    } catch (cause) {
      throw new Retryable("FEED_UNAVAILABLE", "The feed cannot be read now.", {
        cause,
        hint: "Send the request again.",
      });
    }
  }

  /** One consumer's life: until it, the connection or the reader is gone. @returns the place it came to */
  async function* reading(
    filter: string,
    from: FeedPlace & { readonly life: string },
    signal: AbortSignal,
  ): AsyncGenerator<FeedStep, FeedPlace> {
    let { seq } = from;
    let close: () => void = () => undefined;
    // It lives in the server's memory: after a reconnect it may be gone, however whole the last fetch was.
    let isLost = false;
    const forget = nats.onReconnect(() => {
      isLost = true;
      close();
    });
    const onAbort = () => close();
    signal.addEventListener("abort", onAbort);
    let dispose: () => void = () => undefined;
    try {
      const consumer = await nats.js.consumers.get(stream, {
        filterSubjects: filter,
        deliver_policy: DeliverPolicy.StartSequence,
        opt_start_seq: seq + 1,
      });
      // It ends by itself after a while; the answer changes nothing.
      dispose = () => void consumer.delete().catch(() => undefined);
      while (!signal.aborted) {
        const began = clock.monotonicMs();
        let got = 0;
        const fetched = await consumer.fetch({
          max_messages: feedFetchMessages,
          expires: feedFetchExpiresMs,
        });
        close = () => void fetched.close();
        if (signal.aborted || isLost) close();
        for await (const message of fetched) {
          if (got++ === 0 && message.seq > seq + 1) {
            const gap = removedBetween(await ends(), seq, message.seq);
            if (gap !== null) yield { kind: "gap", gap, at: { seq: gap.to!, life: from.life } };
          }
          seq = message.seq;
          yield { kind: "event", entry: entryOf(message, from.life) };
        }
        // An end before its time: a fetch that was cut, or a consumer that went with its server.
        const isWhole =
          got === feedFetchMessages || (got === 0 && clock.monotonicMs() - began > feedFetchExpiresMs / 2);
        if (!isWhole || isLost) break;
      }
    } finally {
      forget();
      signal.removeEventListener("abort", onAbort);
      dispose();
    }
    return { seq, life: from.life };
  }

  async function* follow(
    of: Parameters<FeedSource["follow"]>[0],
    signal: AbortSignal,
  ): AsyncGenerator<FeedStep, void, undefined> {
    const filter = filters.eventsOf(of);
    let place = of.after;
    while (!signal.aborted) {
      try {
        const now = await ends();
        const { after, gap } = whereToBegin(now, place);
        const from = { seq: after, life: now.life };
        if (gap !== null) yield { kind: "gap", gap, at: from };
        place = from;
        for (const steps = reading(filter, from, signal); ; ) {
          const step = await steps.next();
          if (step.done) {
            place = step.value;
            break;
          }
          place = step.value.kind === "gap" ? step.value.at : step.value.entry;
          yield step.value;
        }
      } catch (error) {
        // A feed that cannot be read now is read on later: the stream stays open, and says so with its silence.
        if (!isPassing(error)) throw error;
      }
      if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, REOPEN_PAUSE_MS));
    }
  }

  return { ends, follow };
}

function isPassing(error: unknown): boolean {
  return error instanceof Retryable || (error instanceof Error && error.name === "NatsError");
}

function entryOf(message: JsMsg, life: string): FeedEntry {
  const ledgerSeq = Number(message.headers?.get(feedHeaders.ledgerSeq));
  return { seq: message.seq, life, ledgerSeq, bytes: message.data };
}
