import type { Clock } from "../kernel/clock.ts";
import { CaziError, Retryable } from "../kernel/errors.ts";
import type { Following, LedgerFeed, StoredEvent } from "../kernel/ledger/storedEvent.ts";
import type { WriteGate } from "../kernel/ledger/writeGate.ts";
import type { Log } from "../kernel/log.ts";
import { pause } from "../kernel/pause.ts";
import type { FeedCursor } from "./feedCursor.ts";
import { feedMessageOf } from "./feedMessage.ts";
import {
  batchEventsMax,
  inFlightMax,
  keepCursorEveryMs,
  lookEveryMs,
  pruneEveryMs,
  retryFirstMs,
  retryLongestMs,
} from "./limits.ts";
import { pipeline } from "./pipeline.ts";
import type { CursorStore, EventsStream, LedgerLook } from "./ports.ts";
import { contradicts, type Stop, whereToGoOn } from "./whereToGoOn.ts";

export interface RelayPorts {
  readonly feed: LedgerFeed;
  readonly events: EventsStream;
  readonly ledger: LedgerLook;
  readonly cursors: CursorStore;
  /** The regression guard: nothing is fed from a ledger that may have lost events. */
  readonly gate: Pick<WriteGate, "open" | "wrote">;
  /** Held by one process a shard, to save the others work; order is kept by the expected sequences alone. */
  readonly lease: { held(): boolean };
  readonly clock: Clock;
  readonly log: Log;
}

/** How far the feed is. */
export interface RelayPosition {
  readonly epoch: string;
  /** The ledger's sequence up to which all is in the feed. */
  readonly seq: number;
  /** Sequence in the feed of that event. */
  readonly eventsSeq: number;
  /** Events in the ledger beyond it, as last seen. */
  readonly lag: number;
}

export interface Relay {
  position(): RelayPosition;
  /** Null while all is well, else what is wrong, as one sentence. */
  trouble(): string | null;
  /** Settles when it relays no more: undefined after {@link stop}, else why. */
  readonly stopped: Promise<unknown>;
  stop(): Promise<void>;
}

/**
 * Copies a shard's ledger into its public feed, every transition exactly once and in order.
 *
 * - `following`: events are published in order, many at once, each expecting the stream's last sequence: the server
 *   takes each in its one place or not at all.
 * - `waiting`: an outcome is not known, or was a refusal: somebody else wrote, or one of ours is lost. When nothing of
 *   ours is on its way, the stream's newest message says where to go on.
 * - `stopped`: asked to, the lease is gone, or the ledger is not the one that was fed; a person must settle that.
 *
 * INV-RELAYED-ONCE: which event has which place in the feed follows from the feed's newest message alone, so two
 * relays, or one that slept, can only agree.
 * @throws Retryable `LEDGER_REGRESSED`, `LEDGER_UNAVAILABLE`, `FEED_FOREIGN_MESSAGE`, `FEED_PLACE_LOST`
 */
export async function startRelay(ports: RelayPorts): Promise<Relay> {
  await ports.gate.open();
  const relay = new RunningRelay(ports);
  await relay.findPlace();
  return relay.follow();
}

class RunningRelay {
  readonly #ports: RelayPorts;
  readonly #abort = new AbortController();
  #after = 0;
  #eventsSeq = 0;
  #lastSeq = 0;
  #newest: FeedCursor | null = null;
  #keptAt = Number.NEGATIVE_INFINITY;
  #prunedAt = Number.NEGATIVE_INFINITY;
  #trouble: string | null = null;

  constructor(ports: RelayPorts) {
    this.#ports = ports;
  }

  /** Reads where the feed is. @throws Retryable for what only a person can settle, and what the server answers */
  async findPlace(): Promise<void> {
    const { ledger, events, cursors, feed } = this.#ports;
    // The feed first: what it holds was in the ledger before, so the ledger is never asked too early.
    const found = await events.look();
    const [now, kept, links] = await Promise.all([ledger.look(), cursors.kept(), cursors.links()]);
    if (now.epoch !== feed.epoch) throw regressed(`it was made anew at ${now.epoch}`);
    const goOn = whereToGoOn({ ledger: now, events: found, kept, links });
    if ("stop" in goOn) throw failure(goOn.stop);
    const there = goOn.witness === null ? null : await ledger.eventIdAt(goOn.after);
    const broken = contradicts(goOn.witness, there, goOn.after);
    if (broken !== null) throw failure(broken);
    if (kept !== null && kept.eventsSeq > found.lastSeq)
      this.#ports.log.warn({ kept: kept.eventsSeq, found: found.lastSeq }, "the feed is shorter than it was");
    if (goOn.eventsSeq !== this.#eventsSeq) this.#newest = null;
    this.#after = goOn.after;
    this.#eventsSeq = goOn.eventsSeq;
    this.#lastSeq = Math.max(this.#lastSeq, now.lastSeq);
  }

  follow(): Relay {
    let settle: (error: unknown) => void = () => undefined;
    const stopped = new Promise<unknown>((resolve) => {
      settle = resolve;
    });
    const end = (error: unknown) => {
      clearInterval(timer);
      if (!this.#abort.signal.aborted) this.#stoppedBy(error);
      this.#abort.abort();
      settle(error);
    };
    const following: Following = this.#ports.feed.follow({
      name: "relay",
      after: this.#after,
      batchMax: batchEventsMax,
      onEvents: (events) => this.#relay(events),
      onStopped: end,
    });
    const look = () =>
      void this.#look().catch((error: unknown) => {
        if (error instanceof CaziError && error.code === "LEDGER_REGRESSED") {
          end(error);
          void following.stop();
        } else this.#ports.log.debug({ error }, "the ledger did not say how far it is");
      });
    const timer = setInterval(look, lookEveryMs);
    look();
    return {
      position: () => this.#position(),
      trouble: () => this.#trouble,
      stopped,
      stop: async () => {
        this.#abort.abort();
        await following.stop();
        end(undefined);
      },
    };
  }

  #position(): RelayPosition {
    const { epoch } = this.#ports.feed;
    const lag = Math.max(0, this.#lastSeq - this.#after);
    return { epoch, seq: this.#after, eventsSeq: this.#eventsSeq, lag };
  }

  #stoppedBy(error: unknown): void {
    this.#trouble = (error as Error).message;
    const isExpected = error instanceof CaziError && error.code === "LEASE_LOST";
    const level = isExpected ? "warn" : "error";
    this.#ports.log[level]({ error, after: this.#after }, "the relay stopped; nothing more is fed");
  }

  /** How far the ledger is, whether it is the same, and what of the feed is too old. */
  async #look(): Promise<void> {
    const { ledger, feed, events, lease, clock, log } = this.#ports;
    // Before the question: what is fed while it is on its way is newer than the answer.
    const after = this.#after;
    const now = await ledger.look();
    if (now.epoch !== feed.epoch) throw regressed(`it was made anew at ${now.epoch}`);
    if (now.lastSeq < after) throw regressed(`it ends at ${now.lastSeq}, the feed is at ${after}`);
    this.#lastSeq = Math.max(this.#lastSeq, now.lastSeq);
    void this.#keepCursor();
    if (!lease.held() || clock.monotonicMs() - this.#prunedAt < pruneEveryMs) return;
    this.#prunedAt = clock.monotonicMs();
    const removed = await events.prune();
    if (removed > 0) log.info({ removed }, "old messages were removed from the feed");
  }

  async #relay(batch: readonly StoredEvent[]): Promise<void> {
    this.#lastSeq = Math.max(this.#lastSeq, batch.at(-1)!.seq);
    let pauseMs = retryFirstMs;
    for (;;) {
      this.#mayGoOn();
      const before = this.#after;
      if (await this.#tryRest(batch)) break;
      if (this.#after > before) pauseMs = retryFirstMs;
      await pause(pauseMs, this.#abort.signal);
      pauseMs = Math.min(pauseMs * 2, retryLongestMs);
    }
    this.#trouble = null;
    // Not awaited: what is a help must not hold up the feed.
    void this.#keepCursor();
  }

  /** @returns true when all of the batch is in the feed; false to try again */
  async #tryRest(batch: readonly StoredEvent[]): Promise<boolean> {
    try {
      await this.#ports.gate.open();
      if (await this.#publish(batch.filter((one) => one.seq > this.#after))) return true;
      const known = this.#after;
      await this.findPlace();
      // What was fed before and is gone is not in this batch: the ledger has to be read again from there.
      if (this.#after < known)
        throw new Retryable("FEED_SHORTER", "the feed lost events; they are fed again");
      return batch.at(-1)!.seq <= this.#after;
    } catch (error) {
      if (error instanceof CaziError && !passing.has(error.code)) throw error;
      if (this.#trouble === null)
        this.#ports.log.warn({ error }, "the feed cannot be written now; trying again");
      this.#trouble = `events are not fed: ${(error as Error).message}`;
      return false;
    }
  }

  /** @returns true when every one was stored at its place */
  async #publish(events: readonly StoredEvent[]): Promise<boolean> {
    const { feed, lease, gate, events: stream } = this.#ports;
    const { epoch } = feed;
    const base = this.#eventsSeq;
    const all = await pipeline(events.length, inFlightMax, async (index) => {
      if (this.#abort.signal.aborted || !lease.held()) return false;
      const message = feedMessageOf(events[index]!, { epoch, eventsSeq: base + index + 1 });
      return (await stream.publish(message, base + index)) === "stored";
    });
    const last = events.at(-1);
    if (!all || last === undefined) return all;
    this.#after = last.seq;
    this.#eventsSeq = base + events.length;
    this.#newest = { epoch, ledgerSeq: last.seq, eventsSeq: this.#eventsSeq, eventId: last.event.id };
    gate.wrote({ seq: last.seq, eventId: last.event.id });
    return true;
  }

  /** A kept cursor that is old, or was not kept at all, costs nothing: it counts only beside an emptied feed. */
  async #keepCursor(): Promise<void> {
    const now = this.#ports.clock.monotonicMs();
    const cursor = this.#newest;
    if (cursor === null || now - this.#keptAt < keepCursorEveryMs) return;
    this.#keptAt = now;
    this.#newest = null;
    await this.#ports.cursors
      .keep(cursor)
      .catch((error: unknown) => this.#ports.log.debug({ error }, "the feed's cursor could not be kept"));
  }

  #mayGoOn(): void {
    if (this.#abort.signal.aborted) throw new Retryable("RELAY_ENDED", "the relay was asked to end");
    if (this.#ports.lease.held()) return;
    throw new Retryable("LEASE_LOST", "another process may be relaying this shard");
  }
}

/** Over by themselves; any other failure of our own making is for a person, or for whoever starts relays. */
const passing: ReadonlySet<string> = new Set(["LEDGER_UNAVAILABLE", "NATS_UNAVAILABLE"]);

const hints: Readonly<Record<Stop["code"], string>> = {
  LEDGER_REGRESSED: "Nothing is fed until the ledger is repaired. Run `cazi doctor`.",
  FEED_FOREIGN_MESSAGE:
    "Delete that message from the stream, and take the right to publish from whoever wrote it.",
  FEED_PLACE_LOST: "Delete the stream; it is made anew, and the whole history is fed again.",
};

function failure({ code, message }: Stop): Retryable {
  const about = code === "LEDGER_REGRESSED" ? `the ledger has lost events: ${message}` : message;
  return new Retryable(code, about, { hint: hints[code] });
}

function regressed(message: string): Retryable {
  return failure({ code: "LEDGER_REGRESSED", message });
}
