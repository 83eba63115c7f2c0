import { DeliverPolicy } from "nats";
import { decodeTaskEvent } from "../../../schemas/taskEvents.ts";
import { ledgerStream } from "../../../streams/streams.ts";
import { isLedgerGap, parseLedgerSubject } from "../../../streams/subjects.ts";
import type { Log } from "../log.ts";
import type { Nats } from "../nats/connectNats.ts";
import { askAhead, askLeader, leaderQuestionsMax, type ReadMessage } from "./askLeader.ts";
import { expectedOf, isOvertaken, type Placed, SubjectOrder } from "./overtaken.ts";
import type { Following, LedgerFeed, LedgerFollower, StoredEvent } from "./storedEvent.ts";

/**
 * Reads the ledger once and hands every event to all roles of the process, in order, without gaps.
 *
 * A follower is in one of these modes; only `join`, `leave` and `stop` change it:
 * - `shared`: it is where the shared reader is, or in the shared reader's future, and gets its events from memory.
 * - `own`: it is behind (it starts from an old position, or its buffer was full, because Postgres is slow): a
 *   reader of its own reads at its pace, until it has caught up with the shared one. So a slow role never
 *   starves a fast one.
 * - `stopped`: it failed, or was asked to stop.
 *
 * INV-IN-ORDER: a follower gets each sequence after its position exactly once, growing.
 */
export async function openLedgerFeed(ports: {
  readonly nats: Nats;
  readonly log: Log;
  readonly shard: number;
}): Promise<LedgerFeed & { readonly replicated: boolean; stop(): Promise<void> }> {
  const { nats, log, shard } = ports;
  const stream = ledgerStream(shard);
  const info = await nats.jsm.streams.info(stream);
  const replicated = info.config.num_replicas > 1;
  const source = { nats, log, stream, replicated };
  const followers = new Set<Follower>();
  let position = info.state.last_seq;

  const shared = readFrom({ ...source, after: position }, async (message) => {
    const attached = [...followers].filter((one) => one.mode === "shared" && message.seq > one.position);
    position = message.seq;
    if (attached.length === 0) return;
    const decoded = decode(message);
    for (const follower of attached) if (!follower.offer(decoded)) follower.leave();
  });

  return {
    epoch: String(info.created),
    shard,
    replicated,
    follow: (follower) => {
      const one = new Follower(follower, {
        read: (after, handle) => readFrom({ ...source, after }, handle),
        sharedPosition: () => position,
      });
      followers.add(one);
      return one;
    },
    lastSeq: async () => (await nats.jsm.streams.info(stream)).state.last_seq,
    stop: async () => {
      await Promise.all([shared.stop(), ...[...followers].map((one) => one.stop())]);
    },
  };
}

type Decoded = { readonly event: StoredEvent } | { readonly error: unknown; readonly seq: number };
type Handle = (message: ReadMessage) => Promise<void>;
interface Reader {
  stop(): Promise<void>;
}

/** Events one follower may have waiting in memory before it goes on at its own pace. */
const BUFFERED_MAX = 20_000;

class Follower implements Following {
  mode: "own" | "shared" | "stopped" = "own";
  /** Newest sequence taken into the buffer. */
  position: number;
  #handled: number;
  #waiting: Decoded[] = [];
  #own: Reader | null = null;
  #pump: Promise<void> | null = null;
  readonly #follower: LedgerFollower;
  readonly #source: { read(after: number, handle: Handle): Reader; sharedPosition(): number };

  constructor(
    follower: LedgerFollower,
    source: { read(after: number, handle: Handle): Reader; sharedPosition(): number },
  ) {
    this.#follower = follower;
    this.#source = source;
    this.position = follower.after;
    this.#handled = follower.after;
    if (this.position >= source.sharedPosition()) this.mode = "shared";
    else this.leave();
  }

  /** Takes an event into the buffer. @returns false when there is no room */
  offer(decoded: Decoded): boolean {
    if (this.#waiting.length >= BUFFERED_MAX) return false;
    this.#waiting.push(decoded);
    this.position = "event" in decoded ? decoded.event.seq : decoded.seq;
    this.#pump ??= this.#drain();
    return true;
  }

  /** From the shared reader to one of its own. */
  leave(): void {
    this.mode = "own";
    this.#own = this.#source.read(this.position, async (message) => {
      if (this.mode !== "own") return;
      while (!this.offer(decode(message))) await this.#pump;
      if (this.position >= this.#source.sharedPosition()) this.#join();
    });
  }

  #join(): void {
    this.mode = "shared";
    // Not awaited: this runs inside the reader that is to end.
    void this.#own?.stop();
    this.#own = null;
  }

  /** One batch at a time, in order, until the buffer is empty. */
  async #drain(): Promise<void> {
    await Promise.resolve();
    while (this.#waiting.length > 0 && this.mode !== "stopped") {
      const batch = this.#waiting.splice(0, this.#follower.batchMax);
      const broken = batch.findIndex((one) => "error" in one);
      const events = (broken < 0 ? batch : batch.slice(0, broken)).map(
        (one) => (one as { event: StoredEvent }).event,
      );
      try {
        if (events.length > 0) await this.#follower.onEvents(events);
        this.#handled = events.at(-1)?.seq ?? this.#handled;
        if (broken >= 0) throw (batch[broken] as { error: unknown }).error;
      } catch (error) {
        this.mode = "stopped";
        void this.#own?.stop();
        this.#follower.onStopped(error);
      }
    }
    this.#pump = null;
  }

  get handled(): number {
    return this.#handled;
  }

  async stop(): Promise<void> {
    this.mode = "stopped";
    this.#waiting = [];
    await Promise.all([this.#own?.stop(), this.#pump]);
  }
}

function decode(message: ReadMessage): Decoded {
  try {
    if (parseLedgerSubject(message.subject) === null)
      throw new Error(`not a ledger subject: ${message.subject}`);
    const event = decodeTaskEvent(message.data);
    return { event: { seq: message.seq, subject: message.subject, bytes: message.data, event } };
  } catch (error) {
    return { error, seq: message.seq };
  }
}

function placeOf(message: ReadMessage): Placed {
  return { subject: message.subject, seq: message.seq, expected: expectedOf(message.headers) };
}

/** A single server is its own leader. */
async function* asTheyCome<M>(messages: AsyncIterable<M>) {
  for await (const message of messages) yield { message, answer: message };
}

const FETCH_MESSAGES = 1_000;
/** The client notices a consumer that is gone after two missed beats of half of this. */
const PULL_EXPIRES_MS = 5_000;
const REOPEN_PAUSE_MS = 200;

/**
 * Calls `handle` for each message after a sequence, in order, one at a time, for ever: a consumer that dies with
 * the server or the connection is made again after the last message handled.
 */
function readFrom(
  from: { nats: Nats; log: Log; stream: string; replicated: boolean; after: number },
  handle: Handle,
): Reader {
  const { nats, log, stream } = from;
  const order = from.replicated ? new SubjectOrder((one) => isOvertaken(nats.jsm, stream, one)) : null;
  let after = from.after;
  let stopped = false;
  let close: () => void = () => undefined;
  // A reconnect means that the server may have restarted and lost the consumer: do not wait for missed beats.
  const forget = nats.onReconnect(() => close());

  async function once(): Promise<void> {
    const consumer = await nats.js.consumers.get(stream, {
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: after + 1,
    });
    const messages = await consumer.consume({ max_messages: FETCH_MESSAGES, expires: PULL_EXPIRES_MS });
    close = () => void messages.close();
    if (stopped) close();
    const take = async (message: ReadMessage) => {
      // A gap's message only takes a sequence until the repair that put it there deletes it.
      if (!isLedgerGap(message.subject) && (order === null || (await order.counts(placeOf(message)))))
        await handle(message);
    };
    const held = from.replicated
      ? askAhead(messages, ({ seq }) => askLeader(nats.jsm, stream, seq), leaderQuestionsMax)
      : asTheyCome(messages);
    try {
      for await (const { message, answer } of held) {
        if (stopped) break;
        if (message.seq <= after) continue;
        if (answer !== null) await take(answer);
        after = message.seq;
      }
    } finally {
      // Left open it would go on pulling for nobody, one more with each interruption.
      await messages.close();
      await consumer
        .delete()
        .catch((error: unknown) => log.debug({ error }, "an ordered consumer was gone already"));
    }
  }

  const running = (async () => {
    while (!stopped) {
      try {
        await once();
      } catch (error) {
        if (!stopped) log.debug({ error, stream, after }, "reading the ledger was interrupted; reading on");
      }
      if (!stopped) await new Promise((resolve) => setTimeout(resolve, REOPEN_PAUSE_MS));
    }
  })();
  return {
    stop: async () => {
      stopped = true;
      forget();
      close();
      await running;
    },
  };
}
