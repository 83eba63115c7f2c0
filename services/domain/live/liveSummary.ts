import { startDeadline } from "../task/startDeadline.ts";
import type { PendingTask, PlacedTask } from "../task/taskState.ts";
import type { LiveTask } from "./liveTasks.ts";

/** The states in which something can still happen to a task by itself. */
export const liveStatuses = ["pending", "scheduled", "claimed", "running"] as const;
export type LiveStatus = (typeof liveStatuses)[number];

/** What an operator asks of everything that is not over: how much, and for how long. Times in milliseconds. */
export interface LiveFigures {
  readonly count: Readonly<Record<LiveStatus, number>>;
  /** Longest time that a task has had the status; 0 where none has it. */
  readonly oldestMs: Readonly<Record<LiveStatus, number>>;
  /** Attempts whose image is being pulled; `waiting`: the pull failed and is tried again. */
  readonly pulls: { readonly running: number; readonly waiting: number };
  /** Longest time that a task has waited for a node; a retry counts from when it may be tried again. */
  readonly queueAgeMs: number;
  /** Tasks past the time at which something had to happen to them. */
  readonly overdue: number;
  /** How long the one most overdue is. */
  readonly overdueMs: number;
}

/** Counts live tasks one by one, so that a walk over very many can be done in parts. Pure. */
export class LiveSummary {
  readonly #now: number;
  readonly #count: Record<LiveStatus, number> = { pending: 0, scheduled: 0, claimed: 0, running: 0 };
  readonly #oldest: Record<LiveStatus, number> = { pending: 0, scheduled: 0, claimed: 0, running: 0 };
  readonly #pulls = { running: 0, waiting: 0 };
  #queueAge = 0;
  #overdue = 0;
  #overdueMs = 0;

  /** @param now milliseconds since 1970 */
  constructor(now: number) {
    this.#now = now;
  }

  add({ state, since }: Pick<LiveTask, "state" | "since">): void {
    this.#count[state.status]++;
    this.#oldest[state.status] = Math.max(this.#oldest[state.status], this.#now - since);
    if (state.status === "pending") {
      this.#queueAge = Math.max(this.#queueAge, this.#now - Math.max(since, state.not_before ?? 0));
    }
    if (state.status === "claimed" && state.pull !== null && state.pull.finished_at === null)
      this.#pulls[state.pull.retry_at === null ? "running" : "waiting"]++;
    const due = dueTime(state);
    if (due === null || due >= this.#now) return;
    this.#overdue++;
    this.#overdueMs = Math.max(this.#overdueMs, this.#now - due);
  }

  figures(): LiveFigures {
    return {
      count: { ...this.#count },
      oldestMs: { ...this.#oldest },
      pulls: { ...this.#pulls },
      queueAgeMs: this.#queueAge,
      overdue: this.#overdue,
      overdueMs: this.#overdueMs,
    };
  }
}

/**
 * When something has to have happened. A pending task's due time may be that of its retry, after which it only
 * waits for a node: that is the queue's age. What is past due is its start deadline alone.
 */
function dueTime(state: PendingTask | PlacedTask): number | null {
  if (state.status !== "pending") return state.due_at;
  return startDeadline(state);
}
