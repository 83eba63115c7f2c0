import type { CheckpointNotice } from "../../schemas/messages/node.ts";
import type { Clock } from "../kernel/clock.ts";
import { CaziError, Retryable } from "../kernel/errors.ts";
import type { Following, LedgerFeed, LedgerPosition, StoredEvent } from "../kernel/ledger/storedEvent.ts";
import type { Log } from "../kernel/log.ts";
import { pause } from "../kernel/pause.ts";
import { isUnavailable, sqlState } from "../kernel/postgres/databaseError.ts";
import type { DatabasePool } from "../kernel/postgres/openPool.ts";
import { beginAtCheckpoint, findCheckpoint } from "./checkpoint.ts";
import { findConflicts } from "./findConflicts.ts";
import {
  announceEveryMs,
  batchBytesMax,
  batchEventsMax,
  batchEventsMin,
  retryFirstMs,
  retryLongestMs,
} from "./limits.ts";
import { type Conflict, project } from "./project.ts";
import { writeBatch } from "./writeBatch.ts";

export interface ProjectorPorts {
  readonly feed: LedgerFeed;
  readonly pool: DatabasePool;
  /** Sends `checkpoint.<shard>`; a lost one is made good by the next. */
  publishNotice(notice: CheckpointNotice): void;
  readonly clock: Clock;
  readonly log: Log;
  /** Held by one process a shard; losing it ends this projector. The checkpoint's guard keeps order regardless. */
  readonly lease: { held(): boolean };
}

export interface ProjectorHealth {
  readonly ok: boolean;
  /** Code of what is wrong, or null. `DATABASE_UNAVAILABLE` heals by itself; any other means that it stopped. */
  readonly reason: string | null;
  /** One sentence beside the code. */
  readonly message: string | null;
  readonly position: LedgerPosition;
  /** Events in the ledger beyond the position, as last seen. */
  readonly lag: number;
}

export interface Projector {
  health(): ProjectorHealth;
  /** Settles when it projects no more: undefined after {@link stop}, else why. */
  readonly stopped: Promise<unknown>;
  stop(): Promise<void>;
}

/**
 * Copies a shard's ledger into Postgres and keeps the read models.
 *
 * - `following`: each batch is folded and written with its checkpoint in one guarded statement, then announced.
 * - `waiting`: Postgres is away; the batch is tried again for ever, and the feed keeps what comes after in order.
 * - `stopped`: asked to, the lease is gone, or something that only a person or a newer version can settle: an
 *   event that cannot be decoded or does not follow, a copy of another ledger, a statement that Postgres refuses.
 *
 * INV-PROJECTED-ONCE: an event changes the read models exactly once, because the rows and the checkpoint are one
 * statement.
 * @throws Retryable `LEDGER_REGRESSED`, `DATABASE_UNAVAILABLE`
 */
export async function startProjector(ports: ProjectorPorts): Promise<Projector> {
  const { feed, pool } = ports;
  const { seq } = await beginAtCheckpoint(pool, feed.shard, feed.epoch);
  const running = new RunningProjector(ports, seq);
  await running.announceLag();
  return running.follow();
}

class RunningProjector {
  readonly #ports: ProjectorPorts;
  readonly #abort = new AbortController();
  #seq: number;
  #lastSeq: number;
  /** Events written at once: fewer after a failure, more after each success. */
  #eventsMax = batchEventsMax;
  #trouble: { readonly code: string; readonly message: string } | null = null;

  constructor(ports: ProjectorPorts, seq: number) {
    this.#ports = ports;
    this.#seq = seq;
    this.#lastSeq = seq;
  }

  follow(): Projector {
    let settle: (error: unknown) => void = () => undefined;
    const stopped = new Promise<unknown>((resolve) => {
      settle = resolve;
    });
    const timer = setInterval(() => void this.announceLag(), announceEveryMs);
    const end = (error: unknown) => {
      clearInterval(timer);
      settle(error);
    };
    const following: Following = this.#ports.feed.follow({
      name: "projector",
      after: this.#seq,
      batchMax: batchEventsMax,
      onEvents: (events) => this.#onEvents(events),
      onStopped: (error) => {
        this.#stoppedBy(error);
        end(error);
      },
    });
    return {
      health: () => this.#health(),
      stopped,
      stop: async () => {
        this.#abort.abort();
        await following.stop();
        end(undefined);
      },
    };
  }

  #health(): ProjectorHealth {
    const { code, message } = this.#trouble ?? { code: null, message: null };
    const position = { epoch: this.#ports.feed.epoch, seq: this.#seq };
    return { ok: code === null, reason: code, message, position, lag: this.#lag() };
  }

  #lag(): number {
    return Math.max(0, this.#lastSeq - this.#seq);
  }

  #stoppedBy(error: unknown): void {
    if (this.#abort.signal.aborted) return;
    const code = error instanceof CaziError ? error.code : "PROJECTOR_STOPPED";
    this.#trouble = { code, message: (error as Error).message };
    this.#ports.log.error({ error, code, after: this.#seq }, "the projector stopped");
  }

  #announce(): void {
    this.#ports.publishNotice({ epoch: this.#ports.feed.epoch, seq: this.#seq, lag: this.#lag() });
  }

  /** Asks how far the ledger is, and tells. A projector that has stopped is silent: waiters must notice. */
  async announceLag(): Promise<void> {
    try {
      this.#lastSeq = Math.max(await this.#ports.feed.lastSeq(), this.#seq);
    } catch (error) {
      this.#ports.log.debug({ error }, "the ledger did not say how far it is");
    }
    if (!this.#abort.signal.aborted) this.#announce();
  }

  async #onEvents(events: readonly StoredEvent[]): Promise<void> {
    this.#lastSeq = Math.max(this.#lastSeq, events.at(-1)!.seq);
    for (const batch of batchesOf(events)) await this.#writeUntilDone(batch);
  }

  async #writeUntilDone(batch: readonly StoredEvent[]): Promise<void> {
    let pauseMs = retryFirstMs;
    for (;;) {
      this.#mayGoOn();
      try {
        if (this.#trouble !== null) await this.#catchUpWithCheckpoint();
        await this.#write(batch);
        this.#trouble = null;
        return;
      } catch (error) {
        if (!isUnavailable(error) || isFinal(error)) throw error;
        this.#away(error);
      }
      await pause(pauseMs, this.#abort.signal);
      pauseMs = Math.min(pauseMs * 2, retryLongestMs);
    }
  }

  #mayGoOn(): void {
    if (this.#abort.signal.aborted) throw new Retryable("PROJECTOR_ENDED", "the projector was asked to end");
    if (this.#ports.lease.held()) return;
    throw new Retryable("LEASE_LOST", "another process may be projecting this shard");
  }

  #away(error: unknown): void {
    // A server too slow for a whole batch would fail at it for ever.
    this.#eventsMax = Math.max(batchEventsMin, Math.floor(this.#eventsMax / 2));
    if (this.#trouble === null)
      this.#ports.log.warn({ error }, "Postgres is away; the projector waits for it");
    this.#trouble = { code: "DATABASE_UNAVAILABLE", message: "Postgres does not answer" };
  }

  async #write(batch: readonly StoredEvent[]): Promise<void> {
    for (;;) {
      const left = batch.filter((one) => one.seq > this.#seq).slice(0, this.#eventsMax);
      if (left.length === 0) return;
      if (await this.#writePart(left, [])) {
        this.#wrote(left.at(-1)!.seq);
        this.#eventsMax = Math.min(this.#eventsMax * 2, batchEventsMax);
      } else {
        await this.#catchUpWithCheckpoint();
      }
    }
  }

  /** @returns false when another projector was faster */
  async #writePart(events: readonly StoredEvent[], conflicts: readonly Conflict[]): Promise<boolean> {
    const { pool, feed, log } = this.#ports;
    const last = events.at(-1)!;
    const to = { seq: last.seq, eventId: last.event.id };
    const move = { shard: feed.shard, epoch: feed.epoch, fromSeq: this.#seq, to };
    try {
      return await writeBatch(pool, move, project(events, conflicts));
    } catch (error) {
      if (sqlState(error) !== UNIQUE_VIOLATION || conflicts.length > 0) throw error;
      const found = await findConflicts(pool, events);
      if (found.length === 0) throw error;
      log.error({ conflicts: found.map(named) }, "events contradict the copy and are put aside");
      return this.#writePart(events, found);
    }
  }

  #wrote(seq: number): void {
    this.#seq = seq;
    this.#announce();
  }

  /** After a guard that did not match, or an unknown outcome: the checkpoint says what is written. */
  async #catchUpWithCheckpoint(): Promise<void> {
    const { shard, epoch } = this.#ports.feed;
    const checkpoint = await findCheckpoint(this.#ports.pool, shard);
    if (checkpoint?.epoch !== epoch || checkpoint.seq < this.#seq) {
      throw new Retryable("CHECKPOINT_MOVED_BACK", "Postgres holds less than this projector wrote", {
        hint: "It was restored from an older copy, or emptied. The projector starts again from what it holds.",
        fields: { expected: this.#seq, found: checkpoint?.seq ?? null },
      });
    }
    this.#seq = checkpoint.seq;
  }
}

const UNIQUE_VIOLATION = "23505";

/** Our own retryable ends are for whoever starts projectors, not for the loop that waits for Postgres. */
function isFinal(error: unknown): boolean {
  return error instanceof CaziError && error.code !== "DATABASE_UNAVAILABLE";
}

function named(conflict: Conflict): { seq: number; subject: string; violates: string } {
  return { seq: conflict.stored.seq, subject: conflict.stored.subject, violates: conflict.violates };
}

/** Cut so that no batch is larger than {@link batchBytesMax}; an event that is larger by itself goes alone. */
function batchesOf(events: readonly StoredEvent[]): readonly (readonly StoredEvent[])[] {
  const batches: StoredEvent[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const event of events) {
    bytes += event.bytes.length;
    if (bytes > batchBytesMax) {
      batches.push([]);
      bytes = event.bytes.length;
    }
    batches.at(-1)!.push(event);
  }
  return batches;
}
