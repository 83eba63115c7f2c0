import { startDeadline } from "./startDeadline.ts";
import type { Outcome, TaskEventBody } from "./taskEvent.ts";
import type { Image, PlacedTask, Reason } from "./taskState.ts";

/** How one attempt ended. `own`: by itself; `stopped`: by us; `unstarted`: nothing ever ran. */
export interface AttemptEnd {
  readonly kind: "own" | "stopped" | "unstarted" | "lost";
  /** Null is success. */
  readonly reason: Reason | null;
  readonly image: Image | null;
  /** The node knows that trying again cannot change it. */
  readonly final: boolean;
  /** The node knows that trying again before that is in vain; from now. */
  readonly notBeforeMs: number;
  readonly outcome: Omit<Outcome, "finished_at"> & { readonly finished_at: number | null };
}

/**
 * An attempt that never started is tried again whatever `max_retries` is, for nothing was done that could be done
 * twice; but a task may not come back for ever. Each of them had the whole start limit, with tries of its own.
 */
const UNSTARTED_MAX = 3;
const RETRY_FIRST_MS = 1_000;
/** A node has tried to pull for as long as it was given: what stands against it does not pass within a second. */
const PULL_FIRST_MS = 15_000;
const RETRY_LONGEST_MS = 300_000;

/** Trying again cannot change these: the same spec on the same node is refused again. */
const FINAL_REASONS: ReadonlySet<Reason> = new Set<Reason>([
  "image_unavailable",
  "connection_missing",
  "stdin_gone",
  "runtime_refused",
  "cancelled",
]);

/**
 * The one event that follows the end of an attempt: success, another try, or the end of the task.
 * A task that is to be cancelled is never tried again, and an exit that came before our first signal keeps
 * its true outcome.
 */
export function afterAttempt(
  state: PlacedTask,
  end: AttemptEnd,
  command: { readonly at: number; readonly jitter: number },
): TaskEventBody {
  const outcome = { ...end.outcome, finished_at: end.outcome.finished_at ?? command.at };
  const { fence } = state;
  const { image } = end;
  if (end.reason === null) return { type: "succeeded", fence, image, outcome };
  if (state.cancel !== null && end.kind !== "own") {
    return { type: "cancelled", fence, who: state.cancel.who, reason: state.cancel.reason, image, outcome };
  }
  const uses = end.kind !== "unstarted";
  if (!end.final && mayTryAgain(state, end.reason, uses)) {
    const tries = uses ? state.retries_used : state.unstarted;
    const firstMs = end.reason === "image_pull" ? PULL_FIRST_MS : RETRY_FIRST_MS;
    const delayMs = retryDelayMs(tries, command.jitter, firstMs);
    const not_before = command.at + Math.max(delayMs, end.notBeforeMs);
    const deadline = uses ? null : startDeadline(state);
    if (deadline !== null && not_before >= deadline)
      return { type: "failed", fence, reason: "start_deadline", image, outcome };
    return { type: "retrying", fence, reason: end.reason, uses_retry: uses, not_before, image, outcome };
  }
  return { type: "failed", fence, reason: end.reason, image, outcome };
}

function mayTryAgain(state: PlacedTask, reason: Reason, usesRetry: boolean): boolean {
  if (state.cancel !== null || FINAL_REASONS.has(reason)) return false;
  if (usesRetry) return state.retries_used < state.limits.max_retries;
  return state.unstarted < UNSTARTED_MAX;
}

/**
 * Exponential back-off up to five minutes, spread over its upper half.
 * @param jitter from 0 up to 1
 */
export function retryDelayMs(triesBefore: number, jitter: number, firstMs = RETRY_FIRST_MS): number {
  const full = Math.min(RETRY_LONGEST_MS, firstMs * 2 ** triesBefore);
  return Math.round(full / 2 + (full / 2) * jitter);
}
