import { isLive } from "../../domain/task/taskState.ts";
import type { LedgerFeed } from "../../kernel/ledger/storedEvent.ts";
import type { Log } from "../../kernel/log.ts";

/** Tells when tasks end, for those who wait. */
export interface TaskEnds {
  /**
   * Resolves when an event that ends (or erases) the task is seen from now on, or when `signal` aborts. One who
   * asks the ledger after calling this misses nothing.
   */
  ended(task: string, signal: AbortSignal): Promise<void>;
  stop(): Promise<void>;
}

/** A page of events is only looked at, so a batch may be large. */
const BATCH_MAX = 2_000;

/** Follows the ledger from now on, so that a hundred waiters cost what one costs, and none asks again and again. */
export async function watchTaskEnds(ports: {
  readonly feed: LedgerFeed;
  readonly log: Log;
}): Promise<TaskEnds> {
  const waiting = new Map<string, Set<() => void>>();
  const following = ports.feed.follow({
    name: "task ends",
    after: await ports.feed.lastSeq(),
    batchMax: BATCH_MAX,
    onEvents: async (events) => {
      if (waiting.size === 0) return;
      for (const { event } of events) {
        if (isLive(event.state)) continue;
        for (const tell of waiting.get(event.task) ?? []) tell();
      }
    },
    onStopped: (error) =>
      ports.log.error({ error }, "the ends of tasks are seen no more; waits run to their limit"),
  });

  return {
    ended: (task, signal) =>
      new Promise((resolve) => {
        const tell = () => {
          signal.removeEventListener("abort", tell);
          const tells = waiting.get(task);
          tells?.delete(tell);
          if (tells?.size === 0) waiting.delete(task);
          resolve();
        };
        if (signal.aborted) return resolve();
        signal.addEventListener("abort", tell);
        const tells = waiting.get(task) ?? new Set();
        waiting.set(task, tells.add(tell));
      }),
    stop: () => following.stop(),
  };
}
