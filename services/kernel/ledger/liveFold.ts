import { EndedTasks } from "../../domain/live/endedTasks.ts";
import { LiveTasks } from "../../domain/live/liveTasks.ts";
import type { Log } from "../log.ts";
import type { SnapshotStore } from "./snapshotStore.ts";
import type { LedgerFeed } from "./storedEvent.ts";
import type { TaskVersion } from "./taskLedger.ts";

/** The live tasks as this process has seen them, kept up to date; shared by the roles of the process. */
export interface LiveFold {
  readonly tasks: LiveTasks;
  /** Tasks that are over and still have something to come; those of long ago join a moment after a start. */
  readonly ended: EndedTasks;
  /** False until all that was in the ledger at the start has been folded, and after the reader stopped. */
  caughtUp(): boolean;
  /** The state seen, to decide from without a read; null when the task is not live here. */
  seen(task: string): TaskVersion | null;
  /** Calls back after each batch of events. */
  onApplied(callback: () => void): void;
  /** Position of the newest snapshot that this process knows to be stored; what ended before it holds no specs. */
  storedPosition(): number;
  /** Stores a snapshot now. Costs time in proportion to what it holds. */
  store(): Promise<void>;
  stop(): Promise<void>;
}

const BATCH_MAX = 2_000;
/** A takeover folds at most about this many events; storing more often costs more than it saves. */
const EVENTS_BETWEEN_SNAPSHOTS = 50_000;

/**
 * Folds the ledger from the newest snapshot on, and stores a snapshot every so many events. A snapshot that is
 * missing, of another format or of another epoch means a fold from the start.
 */
export async function openLiveFold(ports: {
  readonly feed: LedgerFeed;
  readonly snapshots: SnapshotStore;
  readonly log: Log;
}): Promise<LiveFold> {
  const { feed, snapshots, log } = ports;
  const callbacks: (() => void)[] = [];
  const [target, snapshot, endedAt] = await Promise.all([
    feed.lastSeq(),
    snapshots.load(feed),
    snapshots.endedPosition(feed),
  ]);
  const usable = snapshot !== null && snapshot.position <= target;
  const tasks = usable ? LiveTasks.restore(snapshot) : new LiveTasks();
  const endedFrom = endedAt <= target ? endedAt : 0;
  const ended = EndedTasks.awaiting(endedFrom);
  let begun = tasks.position;
  let stored = tasks.position;
  let storing: Promise<void> = Promise.resolve();
  let broken = false;

  /** One at a time, so that an older one never comes last. */
  function store(): Promise<void> {
    storing = storing.then(async () => {
      await completing;
      // Ended before it was whole: what is stored already is better.
      if (!ended.isWhole) return;
      begun = tasks.position;
      const position = begun;
      if (await snapshots.save(feed, { ...tasks.snapshot(), ended: ended.snapshot() })) stored = position;
    });
    return storing;
  }

  const following = feed.follow({
    name: "live",
    after: Math.min(tasks.position, endedFrom),
    batchMax: BATCH_MAX,
    onEvents: async (events) => {
      for (const { seq, event } of events) {
        const { at, tenant, task, body, state } = event;
        const folded = { seq, at, tenant, task, body, state };
        tasks.apply(folded);
        ended.apply(folded);
      }
      if (tasks.position - begun >= EVENTS_BETWEEN_SNAPSHOTS) {
        begun = tasks.position;
        void store();
      }
      for (const callback of callbacks) callback();
    },
    onStopped: (error) => {
      broken = true;
      log.fatal({ error }, "the ledger holds something this version cannot read; upgrade this process");
    },
  });
  const stopped = new AbortController();
  const completing = complete(ended, { ...ports, upTo: endedFrom, stopped: stopped.signal });
  return {
    tasks,
    ended,
    caughtUp: () => !broken && tasks.position >= target,
    seen: (task) => {
      const live = tasks.get(task);
      return live ? { state: live.state, seq: live.seq } : null;
    },
    onApplied: (callback) => callbacks.push(callback),
    storedPosition: () => stored,
    store,
    stop: async () => {
      stopped.abort();
      await following.stop();
      await storing;
      await completing;
    },
  };
}

/** Gives the fold of ended tasks what was before its position: from its snapshot, or else from the ledger once more. */
async function complete(
  ended: EndedTasks,
  from: {
    readonly feed: LedgerFeed;
    readonly snapshots: SnapshotStore;
    readonly upTo: number;
    readonly stopped: AbortSignal;
  },
): Promise<void> {
  const { feed, snapshots, upTo, stopped } = from;
  const snapshot = upTo === 0 ? null : await snapshots.loadEnded(feed);
  if (snapshot !== null) {
    for (const _part of ended.merge(snapshot)) {
      if (stopped.aborted) return;
      await new Promise(setImmediate);
    }
    return;
  }
  if (upTo > 0) await replayUpTo(ended, feed, upTo, stopped);
  if (!stopped.aborted) ended.becomeWhole();
}

/** Resolves when all up to a sequence was replayed, or at the end. */
async function replayUpTo(
  ended: EndedTasks,
  feed: LedgerFeed,
  upTo: number,
  stopped: AbortSignal,
): Promise<void> {
  let finish: () => void = () => undefined;
  const done = new Promise<void>((resolve) => {
    finish = resolve;
  });
  stopped.addEventListener("abort", () => finish(), { once: true });
  const following = feed.follow({
    name: "ended",
    after: 0,
    batchMax: BATCH_MAX,
    onEvents: async (events) => {
      for (const { seq, event } of events) {
        if (seq > upTo) continue;
        const { at, tenant, task, body, state } = event;
        ended.replay({ seq, at, tenant, task, body, state });
      }
      if (events.at(-1)!.seq >= upTo) finish();
    },
    onStopped: finish,
  });
  await done;
  await following.stop();
}
