import { ledgerStream } from "../../streams/streams.ts";
import type { Log } from "../kernel/log.ts";
import { compareHistories, type Difference } from "./compareHistories.ts";
import { countErased, explainHoles } from "./explainHoles.ts";
import { ledgerSummary, recordCheck } from "./ledgerChecks.ts";
import {
  toldDifferencesMax,
  watchAgainMs,
  watchEveryMs,
  watchedEventsMax,
  watchedUnreadableMax,
} from "./limits.ts";
import { type Copy, type CopyEnd, findCopyEnd, isStillCopied, readCopy } from "./readCopy.ts";
import { hasMessage, lookAtStream, readStream, type StreamLook } from "./readStream.ts";
import { damageFound } from "./standingRefusal.ts";
import { eventIdOf, type RepairPorts, told, verifyLedger } from "./verifyLedger.ts";

/**
 * Looks for damage before the ledger's end, which no guard of its end can see, for as long as it runs:
 *
 * - how many messages the stream has not, against what the copy and erasure explain, at each look;
 * - the messages themselves against the copy, a part at each look, from the beginning to the end and after an hour
 *   again. The server leaves a message with a flipped bit out without a word and counts it still, so only this finds it.
 *
 * The first look is `watchEveryMs` after the start: 2,000 events are compared 5 s after the projector has its lease,
 * each further 2,000 take 5 s more and the reading. A round that found nothing is recorded as a comparison of all.
 *
 * What is found is recorded in `ledger_checks`, where the guard of every writer finds it.
 */
export interface LedgerWatch {
  stop(): Promise<void>;
}

export interface Watching extends RepairPorts {
  readonly log: Log;
  /** Only the holder of the projector's lease looks. */
  readonly mayLook: () => boolean;
  /** Called when damage was found: gates are to look again. */
  readonly onDamage: (what: string) => void;
}

export function watchLedger(ports: Watching, everyMs: number = watchEveryMs): LedgerWatch {
  const rounds = new WatchRounds(ports);
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let failing = false;
  let turn: Promise<void> = Promise.resolve();
  const look = async () => {
    try {
      if (ports.mayLook()) await rounds.look();
      failing = false;
    } catch (error) {
      // Once in a row: a store that is down is told by others.
      ports.log[failing ? "debug" : "warn"]({ error }, "the ledger could not be looked at; later again");
      failing = true;
    }
  };
  const next = () => {
    turn = look().then(() => {
      if (!stopped) timer = setTimeout(next, everyMs);
    });
  };
  timer = setTimeout(next, everyMs);
  return {
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await turn;
    },
  };
}

/** One look after the other; remembers how far it is. */
export class WatchRounds {
  readonly #ports: Watching;
  #epoch = "";
  #after = 0;
  #roundBegan: number;
  /** Messages that the stream has not, beyond those that erasure is known to have taken, when that was last explained. */
  #explained = 0;
  #first = true;
  /** Of this round: events compared, those that the copy has not, whether damage was found. */
  #events = 0;
  #uncopied = 0;
  #found = false;

  constructor(ports: Watching) {
    this.#ports = ports;
    this.#roundBegan = ports.clock.monotonicMs();
  }

  async look(): Promise<void> {
    const { nats, pool, shard } = this.#ports;
    if (this.#first) await this.#lookAtWhatWasFound();
    this.#first = false;
    const copy = await findCopyEnd(pool, shard);
    const stream = await lookAtStream(nats, ledgerStream(shard));
    if (copy === null) return;
    if (stream === null || stream.epoch !== copy.epoch || stream.lastSeq < copy.end) {
      // The guard knows, but asks before the first append of a connection only; a server may cut a file while it runs.
      this.#ports.onDamage("the ledger's end is not the copy's");
      return;
    }
    if (copy.epoch !== this.#epoch) this.#begin(copy.epoch);
    await this.#explainAbsent(copy, stream);
    await this.#compareNext(copy);
  }

  #begin(epoch: string): void {
    this.#epoch = epoch;
    this.#after = 0;
    this.#explained = 0;
    this.#events = 0;
    this.#uncopied = 0;
    this.#found = false;
    this.#roundBegan = this.#ports.clock.monotonicMs();
  }

  /** The right data may be back in its place since. */
  async #lookAtWhatWasFound(): Promise<void> {
    const { check, repair } = await ledgerSummary(this.#ports.pool, this.#ports.shard);
    if (repair === null && check !== null && damageFound(check) !== null) await verifyLedger(this.#ports);
  }

  async #explainAbsent(copy: CopyEnd, stream: StreamLook): Promise<void> {
    const { nats, pool, shard } = this.#ports;
    // Asked after the stream: what erasure took from the ledger it took from the copy before.
    const beyondErased = stream.absent - (await countErased(pool, shard));
    if (beyondErased <= this.#explained) return;
    const unexplained = await explainHoles({ nats, pool, shard }, copy);
    // Counted only; where and what is for a comparison of all to say, and it has the last word.
    if (unexplained > 0) await this.#compareAll();
    this.#explained = beyondErased;
  }

  async #compareAll(): Promise<void> {
    const survey = await verifyLedger(this.#ports);
    const damage = damageFound(survey);
    if (damage !== null) this.#damaged(damage);
  }

  async #compareNext(copy: CopyEnd): Promise<void> {
    const { nats, pool, shard, clock } = this.#ports;
    if (this.#after >= copy.end) {
      if (clock.monotonicMs() - this.#roundBegan < watchAgainMs) return;
      this.#begin(copy.epoch);
    }
    const stream = ledgerStream(shard);
    const range = { after: this.#after, end: Math.min(copy.end, this.#after + watchedEventsMax) };
    let reached = range.end;
    const onMore = (seq: number) => {
      reached = seq;
    };
    const found: Difference[] = [];
    const { copies } = await compareHistories(
      {
        copy: readCopy(pool, { shard, ...range }),
        ledger: readStream(nats, { stream, ...range, unreadable: { max: watchedUnreadableMax, onMore } }),
        copyEnd: copy.end,
        eventIdOf,
      },
      (difference) => void found.push(difference),
    );
    const known = found.filter(({ seq }) => seq <= reached);
    const damage = await this.#damageOf(known);
    if (damage.length > 0) await this.#record(copy, copies, damage);
    this.#events += copies - (found.length - known.length);
    this.#uncopied += known.filter(({ kind }) => kind === "uncopied").length;
    this.#after = reached;
    if (reached < copy.end) return;
    const counts = { missing: 0, altered: 0, replaced: 0, uncopied: this.#uncopied, first: [] };
    if (!this.#found)
      await recordCheck(pool, shard, { copy, events: this.#events, ...counts }, clock.now(), "round");
  }

  /** The first ones are enough to shut the gates; each that is missing is asked for once more. */
  async #damageOf(found: readonly Difference[]): Promise<readonly Difference[]> {
    const { nats, pool, shard } = this.#ports;
    const stream = ledgerStream(shard);
    const damage: Difference[] = [];
    for (const one of found) {
      if (damage.length === toldDifferencesMax) break;
      if (one.kind === "uncopied") continue;
      if (one.kind === "missing") {
        const { erasedLater, eventId } = one.copy as Copy;
        if (erasedLater || (await hasMessage(nats, stream, one.seq))) continue;
        if (!(await isStillCopied(pool, eventId))) continue;
      }
      damage.push(one);
    }
    return damage;
  }

  async #record(copy: CopyEnd, events: number, damage: readonly Difference[]): Promise<void> {
    const { pool, shard, clock } = this.#ports;
    const count = (kind: Difference["kind"]) => damage.filter((one) => one.kind === kind).length;
    const counts = {
      missing: count("missing"),
      altered: count("altered"),
      replaced: count("replaced"),
      uncopied: 0,
    };
    const first = damage.slice(0, toldDifferencesMax).map(told);
    await recordCheck(pool, shard, { copy, events, ...counts, first }, clock.now(), false);
    this.#damaged(damageFound({ ...counts, first })!);
  }

  #damaged(what: string): void {
    this.#found = true;
    this.#ports.log.fatal({ what }, "the ledger is damaged; nothing is written to it until it is repaired");
    this.#ports.onDamage(what);
  }
}
