import type { Following, LedgerFeed, StoredEvent } from "../kernel/ledger/storedEvent.ts";
import type { Tombstone } from "./clearTask.ts";

/** Tombstones in memory; what comes after stays in the ledger until there is room. */
const READ_AHEAD = 20_000;
const BATCH_MAX = 2_000;

/**
 * The tombstones whose tasks may still have something somewhere, in the order of the ledger: read from the kept place
 * on. That a place is lost costs a look at every tombstone there is, nothing else.
 */
export class Tombstones {
  readonly #feed: LedgerFeed;
  readonly #waiting = new Map<number, Tombstone>();
  readonly #following: Following;
  #stopped: unknown = null;
  #room: (() => void) | null = null;

  /** @param after sequence up to which all is cleared */
  constructor(feed: LedgerFeed, after: number) {
    this.#feed = feed;
    this.#following = feed.follow({
      name: "erasure",
      after,
      batchMax: BATCH_MAX,
      onEvents: (events) => this.#take(events),
      onStopped: (error) => {
        this.#stopped = error;
      },
    });
  }

  /** Those up to a sequence, the oldest first. @throws why the ledger cannot be read on */
  upTo(seq: number): readonly Tombstone[] {
    if (this.#stopped !== null) throw this.#stopped;
    const found: Tombstone[] = [];
    for (const one of this.#waiting.values()) {
      if (one.seq > seq) break;
      found.push(one);
    }
    return found;
  }

  /** The oldest one; null when none waits. */
  get oldest(): Tombstone | null {
    return this.#waiting.values().next().value ?? null;
  }

  get size(): number {
    return this.#waiting.size;
  }

  cleared(one: Tombstone): void {
    this.#waiting.delete(one.seq);
    if (this.#waiting.size >= READ_AHEAD) return;
    this.#room?.();
    this.#room = null;
  }

  /** Sequence up to which nothing is left to do. */
  get place(): { readonly epoch: string; readonly seq: number } {
    const seq = this.oldest === null ? this.#following.position : this.oldest.seq - 1;
    return { epoch: this.#feed.epoch, seq };
  }

  async stop(): Promise<void> {
    this.#room?.();
    this.#room = null;
    await this.#following.stop();
  }

  async #take(events: readonly StoredEvent[]): Promise<void> {
    for (const { seq, event } of events) {
      if (event.body.type !== "erased") continue;
      this.#waiting.set(seq, { tenant: event.tenant, task: event.task, seq });
    }
    if (this.#waiting.size < READ_AHEAD) return;
    await new Promise<void>((resolve) => {
      this.#room = resolve;
    });
  }
}
