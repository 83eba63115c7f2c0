import type { KV } from "nats";
import { ledgerStream } from "../../streams/streams.ts";
import { isRefusal } from "../domain/refusal.ts";
import type { Clock } from "../kernel/clock.ts";
import { Retryable } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import type { Lease } from "../kernel/lease.ts";
import { keepErasurePlace, readErasurePlace } from "../kernel/ledger/erasurePlace.ts";
import type { LiveFold } from "../kernel/ledger/liveFold.ts";
import { readerPlaces } from "../kernel/ledger/readers.ts";
import type { LedgerFeed } from "../kernel/ledger/storedEvent.ts";
import type { TaskKey, TaskLedger } from "../kernel/ledger/taskLedger.ts";
import type { WriteGate } from "../kernel/ledger/writeGate.ts";
import type { Log } from "../kernel/log.ts";
import type { Nats } from "../kernel/nats/connectNats.ts";
import { clearTask, type Tombstone } from "./clearTask.ts";
import { type DeadLetters, watchDeadLetters } from "./deadLetters.ts";
import { type HeldUp, slowestReader } from "./heldUpBy.ts";
import { LateOutput } from "./lateOutput.ts";
import { Tombstones } from "./tombstones.ts";

export interface ErasingPorts {
  readonly nats: Nats;
  readonly shard: number;
  readonly feed: LedgerFeed;
  readonly live: LiveFold;
  readonly ledger: TaskLedger;
  readonly gate: WriteGate;
  readonly lease: Lease;
  /** KV `cursors`. */
  readonly cursors: Promise<KV>;
  readonly clock: Clock;
  readonly log: Log;
  /** Removes the files that a task published; called while its events are still there. */
  readonly removeArtifacts: (key: TaskKey) => Promise<void>;
  readonly sweepMs: number;
  /** A snapshot is made for the sake of erasure at most this often. */
  readonly snapshotEveryMs: number;
  /** Output that came after its task's erasure is looked for so often, and at the start. */
  readonly lateEveryMs: number;
}

export interface Erasing {
  /** Tombstones whose tasks are not cleared yet, and the reader that they wait for; null while nobody is. */
  status(): { readonly waiting: number; readonly heldUp: (HeldUp & { readonly since: number }) | null };
  stop(): Promise<void>;
}

/** Tasks that are ended for good, and tasks that are cleared, at once. */
const AT_ONCE = 64;
/** How often the place is kept while only the ledger moves on. */
const KEPT_EVERY_MS = 1_000;
/** Tombstones written in one sweep, so that clearing goes on between. */
const ERASED_A_SWEEP = 1_024;

/**
 * Erases tasks whose time is up, all but their tombstones.
 *
 * 1. A task that is due gets the event `erased`, by compare-and-set: from then on it is the intent.
 * 2. It waits until every durable reader has passed the tombstone, and the stored snapshot is of after it. A reader that
 *    is silent holds this up and is named; only a person makes it be passed over.
 * 3. What streams and buckets hold of the task is deleted ({@link clearTask}). What Postgres holds went when the
 *    projector passed the tombstone.
 *
 * Dying anywhere, the next holder of the lease reads the tombstones after the kept place and does 2 and 3 again.
 */
export function startErasing(ports: ErasingPorts): Erasing {
  const eraser = new Eraser(ports);
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let sweeping: Promise<void> = Promise.resolve();
  let failing = false;
  function next(): void {
    sweeping = eraser
      .sweep()
      .then(
        (more) => {
          failing = false;
          return more;
        },
        (error: unknown) => {
          ports.log[failing ? "debug" : "warn"]({ error }, "erasing was interrupted; it is tried again");
          failing = true;
          return false;
        },
      )
      .then((more) => {
        if (!stopped) timer = setTimeout(next, more ? 0 : ports.sweepMs);
      });
  }
  next();
  return {
    status: () => eraser.status(),
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await sweeping;
      clearTimeout(timer);
      await eraser.letGo();
    },
  };
}

class Eraser {
  readonly #ports: ErasingPorts;
  #tombstones: Tombstones | null = null;
  #deadLetters: DeadLetters;
  #late: LateOutput | null = null;
  #lateAt = Number.NEGATIVE_INFINITY;
  #revision = 0;
  #kept = "";
  #keptAt = Number.NEGATIVE_INFINITY;
  #snapshotAt = Number.NEGATIVE_INFINITY;
  #heldUp: (HeldUp & { readonly since: number }) | null = null;

  constructor(ports: ErasingPorts) {
    this.#ports = ports;
    this.#deadLetters = watchDeadLetters(ports.nats);
  }

  status(): ReturnType<Erasing["status"]> {
    return { waiting: this.#tombstones?.size ?? 0, heldUp: this.#heldUp };
  }

  /** @returns true when there is more to do at once */
  async sweep(): Promise<boolean> {
    const { lease, live } = this.#ports;
    if (!lease.held() || !live.caughtUp()) {
      await this.letGo();
      return false;
    }
    const erased = await this.#eraseDue();
    this.#tombstones ??= await this.#begin();
    const cleared = await this.#clear(this.#tombstones);
    await this.#keepPlace(this.#tombstones);
    await this.#clearLate();
    return erased === ERASED_A_SWEEP || cleared > 0;
  }

  async letGo(): Promise<void> {
    const tombstones = this.#tombstones;
    this.#tombstones = null;
    this.#late = null;
    this.#heldUp = null;
    await tombstones?.stop();
  }

  async #begin(): Promise<Tombstones> {
    const { cursors, shard, feed } = this.#ports;
    const { place, revision } = await readErasurePlace(await cursors, shard);
    this.#revision = revision;
    return new Tombstones(feed, place?.epoch === feed.epoch ? place.seq : 0);
  }

  /** @returns how many tombstones were wanted */
  async #eraseDue(): Promise<number> {
    const { live, ledger, gate, clock, log } = this.#ports;
    const due: TaskKey[] = [];
    for (const one of live.ended.due(clock.now())) if (due.push(one) === ERASED_A_SWEEP) break;
    if (due.length > 0) await gate.open();
    await eachAtOnce(due, async (key) => {
      this.#mayGoOn();
      const at = clock.now();
      try {
        const done = await ledger.execute(key, { kind: "erase", at, id: newId(at) });
        if (isRefusal(done) && done.code !== "TASK_ERASED")
          log.warn({ code: done.code, task: key.task }, "a task whose time is up cannot be erased");
      } catch (error) {
        log.warn({ error, task: key.task }, "a task could not be erased yet; the next sweep tries again");
      }
    });
    return due.length;
  }

  /** @returns how many tasks were cleared */
  async #clear(tombstones: Tombstones): Promise<number> {
    const { oldest } = tombstones;
    if (oldest === null) {
      this.#heldUp = null;
      return 0;
    }
    const { nats, feed, shard, gate, live, log, removeArtifacts } = this.#ports;
    await gate.open();
    const info = await nats.jsm.streams.info(ledgerStream(shard));
    if (String(info.created) !== feed.epoch)
      throw new Retryable("LEDGER_REGRESSED", "the ledger was made anew");
    const ready = tombstones.upTo(Math.min(await this.#readersAt(oldest), await this.#snapshotOf(oldest)));
    if (ready.length === 0) return 0;
    await this.#deadLetters.look();
    const emptyStreams = await emptyOf(nats, ["CLAIMS", "REPORTS"]);
    const mayGoOn = () => this.#mayGoOn();
    const deadLettersOf = this.#deadLetters.of;
    const clearing = { nats, shard, removeArtifacts, deadLettersOf, emptyStreams, mayGoOn };
    let cleared = 0;
    await eachAtOnce(ready, async (one) => {
      try {
        await clearTask(clearing, one);
        tombstones.cleared(one);
        cleared++;
      } catch (error) {
        log.warn({ error, task: one.task }, "a task could not be cleared yet; the next sweep goes on");
      }
    });
    log.info({ cleared, stored: live.storedPosition() }, "erased tasks were cleared");
    return cleared;
  }

  async #clearLate(): Promise<void> {
    const { clock, lateEveryMs, log, gate } = this.#ports;
    if (clock.monotonicMs() - this.#lateAt < lateEveryMs) return;
    await gate.open();
    this.#late ??= new LateOutput({ ...this.#ports, mayGoOn: () => this.#mayGoOn() });
    const { deleted, more } = await this.#late.look();
    if (!more) this.#lateAt = clock.monotonicMs();
    if (deleted > 0) log.info({ deleted }, "output that came after its task's erasure was deleted");
  }

  /** Sequence that every durable reader has passed; remembers who is last while the oldest tombstone waits for it. */
  async #readersAt(oldest: Tombstone): Promise<number> {
    const { cursors, shard, feed, clock } = this.#ports;
    const slowest = slowestReader(await readerPlaces(await cursors, shard), feed.epoch);
    if (slowest === null) return Number.POSITIVE_INFINITY;
    const known = this.#heldUp?.reader === slowest.reader ? this.#heldUp.since : clock.now();
    this.#heldUp = slowest.seq < oldest.seq ? { ...slowest, since: known } : null;
    return slowest.seq;
  }

  /** Position of the stored snapshot: one of before the tombstone may hold the task, spec and all. */
  async #snapshotOf(oldest: Tombstone): Promise<number> {
    const { live, clock, snapshotEveryMs } = this.#ports;
    const now = clock.monotonicMs();
    if (live.storedPosition() < oldest.seq && now - this.#snapshotAt >= snapshotEveryMs) {
      this.#snapshotAt = now;
      await live.store();
    }
    return live.storedPosition();
  }

  async #keepPlace(tombstones: Tombstones): Promise<void> {
    const { cursors, shard, clock } = this.#ports;
    const now = JSON.stringify([tombstones.place, tombstones.size, this.#heldUp]);
    if (now === this.#kept || clock.monotonicMs() - this.#keptAt < KEPT_EVERY_MS) return;
    this.#keptAt = clock.monotonicMs();
    try {
      const place = { ...tombstones.place, waiting: tombstones.size, held_up_by: this.#heldUp };
      this.#revision = await keepErasurePlace(await cursors, shard, place, this.#revision);
      this.#kept = now;
    } catch (error) {
      // Another process keeps it, or a repair asks for all to be looked at again.
      await this.letGo();
      throw error;
    }
  }

  #mayGoOn(): void {
    if (!this.#ports.lease.held()) throw new Retryable("LEASE_LOST", "another process may be erasing");
    if (this.#ports.gate.state !== "open")
      throw new Retryable("LEDGER_UNAVAILABLE", "nobody can tell whether the ledger is complete");
  }
}

/** Which of some streams have no message: work queues are nearly always empty. */
async function emptyOf(nats: Nats, names: readonly string[]): Promise<ReadonlySet<string>> {
  const infos = await Promise.all(names.map((name) => nats.jsm.streams.info(name)));
  return new Set(infos.filter(({ state }) => state.messages === 0).map(({ config }) => config.name));
}

/** Handles all of them, some at once. */
async function eachAtOnce<T>(all: readonly T[], handle: (one: T) => Promise<void>): Promise<void> {
  const left = all[Symbol.iterator]();
  const work = async () => {
    for (const one of left) await handle(one);
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, all.length) }, work));
}
