import { isLive, type TaskState } from "../../domain/task/taskState.ts";
import type { LedgerFeed } from "../../kernel/ledger/storedEvent.ts";
import type { Log } from "../../kernel/log.ts";

/** Tells when tasks end, for those who wait. */
export interface TaskEnds {
  /**
   * Resolves when an event that ends (or erases) the task is seen from now on, or when `signal` aborts. One who
   * asks the ledger after calling this misses nothing.
   * @param isOver what counts in place of the end, such as that of one attempt
   */
  ended(task: string, signal: AbortSignal, isOver?: (state: TaskState) => boolean): Promise<void>;
  stop(): Promise<void>;
}

interface Waiter {
  readonly isOver: (state: TaskState) => boolean;
  readonly tell: () => void;
}

/** A page of events is only looked at, so a batch may be large. */
const BATCH_MAX = 2_000;

/** Follows the ledger from now on, so that a hundred waiters cost what one costs, and none asks again and again. */
export async function watchTaskEnds(ports: {
  readonly feed: LedgerFeed;
  readonly log: Log;
}): Promise<TaskEnds> {
  const waiting = new Map<string, Set<Waiter>>();
  const following = ports.feed.follow({
    name: "task ends",
    after: await ports.feed.lastSeq(),
    batchMax: BATCH_MAX,
    onEvents: async (events) => {
      if (waiting.size === 0) return;
      for (const { event } of events)
        for (const { isOver, tell } of waiting.get(event.task) ?? []) if (isOver(event.state)) tell();
    },
    onStopped: (error) =>
      ports.log.error({ error }, "the ends of tasks are seen no more; waits run to their limit"),
  });

  return {
    ended: (task, signal, isOver = (state) => !isLive(state)) =>
      new Promise((resolve) => {
        const tell = () => {
          signal.removeEventListener("abort", tell);
          const waiters = waiting.get(task);
          waiters?.delete(waiter);
          if (waiters?.size === 0) waiting.delete(task);
          resolve();
        };
        const waiter = { isOver, tell };
        if (signal.aborted) return resolve();
        signal.addEventListener("abort", tell);
        waiting.set(task, (waiting.get(task) ?? new Set()).add(waiter));
      }),
    stop: () => following.stop(),
  };
}
