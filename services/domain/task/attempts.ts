/**
 * A task's attempts, each apart, from its events. The last attempt is in the task's own state; one that was taken back
 * or is followed by another is over, and its facts are those that its last event left. Pure.
 */
import type { TaskEventBody } from "./taskEvent.ts";
import {
  type CarriedTask,
  type Image,
  isPlaced,
  type LogCounts,
  type Pull,
  type TaskState,
} from "./taskState.ts";

/** When the last attempt was given to a node and granted; milliseconds since 1970, the writers' clocks. */
export interface AttemptTimes {
  readonly scheduled_at: number | null;
  readonly claimed_at: number | null;
}

export interface Attempt extends AttemptTimes {
  readonly attempt: number;
  readonly fence: string;
  /** Null only where it is not known from what was read. */
  readonly node: string | null;
  /** The event that ended it; null while it is under way. */
  readonly ended_by: "returned" | "retrying" | "succeeded" | "failed" | "cancelled" | null;
  readonly reason: string | null;
  readonly message: string | null;
  /** Whether it counts against `max_retries`. */
  readonly uses_retry: boolean;
  /** The attempt after it is not to start before. */
  readonly not_before: number | null;
  readonly started_at: number | null;
  readonly finished_at: number | null;
  readonly exit_code: number | null;
  readonly signal: number | null;
  readonly oom_killed: boolean;
  /** What it ran; null where nothing ran. */
  readonly image: Image | null;
  readonly logs: LogCounts | null;
  readonly pull: Pull | null;
}

export const noTimes: AttemptTimes = { scheduled_at: null, claimed_at: null };

/** The last attempt's times after an event. */
export function timesAfter(times: AttemptTimes, event: TaskEventBody, at: number): AttemptTimes {
  if (event.type === "scheduled") return { scheduled_at: at, claimed_at: null };
  return event.type === "claimed" ? { ...times, claimed_at: at } : times;
}

/** What an event and its writer say of the attempt that it ends. */
export interface EndingEvent {
  readonly body: TaskEventBody;
  readonly at: number;
  /** After the event. */
  readonly state: TaskState;
}

/**
 * The attempt that `event` ends while its task goes on; null for any other event.
 * @param before the state that the event was appended to; null where it is not known, and then `node` is null
 */
export function attemptOver(
  { body, at, state }: EndingEvent,
  before: TaskState | null,
  times: AttemptTimes,
): Attempt | null {
  if ((body.type !== "returned" && body.type !== "retrying") || state.status !== "pending") return null;
  const known = {
    ...times,
    attempt: state.attempt,
    fence: body.fence,
    node: before !== null && isPlaced(before) ? before.node : null,
    ended_by: body.type,
    reason: body.reason,
  };
  if (body.type === "returned") return { ...known, ...ranNothing, message: body.message, finished_at: at };
  const { outcome, uses_retry, not_before, image } = body;
  const ran = state.started_at !== null || image !== null;
  const { pull, started_at } = state;
  return { ...known, ...outcome, uses_retry, not_before, started_at, image: ran ? state.image : null, pull };
}

const ranNothing = {
  uses_retry: false,
  not_before: null,
  started_at: null,
  exit_code: null,
  signal: null,
  oom_killed: false,
  image: null,
  logs: null,
  pull: null,
} as const;

/** The attempt that a task's own state shows; null where none was made or the last one is over and the task is not. */
export function attemptShown(state: CarriedTask, times: AttemptTimes): Attempt | null {
  const { attempt, fence, node, reason, message, started_at, finished_at, status } = state;
  if (fence === null) return null;
  const { exit_code, signal, oom_killed, image, logs, pull } = state;
  const ended_by = status === "succeeded" || status === "failed" || status === "cancelled" ? status : null;
  const ran = started_at !== null || ended_by === "succeeded";
  return {
    ...times,
    ...{ attempt, fence, node, ended_by, reason, message, uses_retry: false, not_before: null },
    ...{ started_at, finished_at, exit_code, signal, oom_killed, image: ran ? image : null, logs, pull },
  };
}

/** All attempts of a history, oldest first. */
export function attemptsOf(history: readonly EndingEvent[]): readonly Attempt[] {
  const attempts: Attempt[] = [];
  let times = noTimes;
  let before: TaskState | null = null;
  for (const event of history) {
    times = timesAfter(times, event.body, event.at);
    const over = attemptOver(event, before, times);
    if (over !== null) attempts.push(over);
    before = event.state;
  }
  const shown = before === null || !("fence" in before) ? null : attemptShown(before, times);
  return shown === null ? attempts : [...attempts, shown];
}
