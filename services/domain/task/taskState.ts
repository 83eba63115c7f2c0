/**
 * What the ledger knows of a task after each event, everything but the spec's text. Every event carries it, so
 * that the last message of a subject is the current state. Field names are those of the Avro schema
 * `schemas/task/State.v1.avsc`; times are milliseconds since 1970, written by whoever wrote the event.
 */

/** Who did it, for whom, by which door. Resolved by the server, never taken from the caller. */
export interface Who {
  readonly actor: string;
  /** The person who answers for it when an agent or a schedule acted; null when the actor is that person. */
  readonly accountable: string | null;
  readonly route: string;
}

export interface Image {
  readonly ref: string;
  readonly repo_digest: string | null;
  readonly image_id: string | null;
}

export interface Cancel {
  readonly at: number;
  readonly who: Who;
  readonly reason: string | null;
}

/** Bytes of one output stream: kept in LOGS, and produced but not kept: beyond the cap, or LOGS had no room. */
export interface LogCount {
  readonly stored: number;
  readonly dropped: number;
}

export interface LogCounts {
  readonly stdout: LogCount;
  readonly stderr: LogCount;
}

/** How far the pull of an attempt's image is, as far as the engine tells. Times are the node's. */
export interface Pull {
  readonly ref: string;
  /** Grows with each piece of news of the attempt; what is not above the newest is old. */
  readonly notice: number;
  readonly tries: number;
  readonly started_at: number;
  readonly layers_done: number;
  readonly layers_total: number;
  readonly bytes_done: number;
  readonly bytes_total: number;
  readonly last_error: string | null;
  /** While the node waits before the next try. */
  readonly retry_at: number | null;
  readonly finished_at: number | null;
}

/** W3C trace context. Both are checked when they come in; a `tracestate` comes only with its `traceparent`. */
export interface TraceContext {
  readonly traceparent: string | null;
  readonly tracestate: string | null;
}

/** The part of a spec that decisions need. */
export interface TaskLimits {
  readonly timeout_ms: number;
  readonly max_retries: number;
  readonly ttl_ms: number | null;
  readonly start_within_ms: number | null;
  /** How many sinks its output goes to. */
  readonly sinks: number;
}

export interface TaskFacts extends TraceContext {
  readonly spec_digest: string;
  /** Hash of the creating request, to tell a repeat from a misuse of its key. */
  readonly request_hash: string | null;
  /** `submit`, `replay:<task>`, `process:<task>` for a command of a script, or `sink:<task>:<sink>` for the one that comes after. */
  readonly source: string;
  readonly who: Who;
  readonly limits: TaskLimits;
  readonly attempt: number;
  readonly retries_used: number;
  /** Attempts that ended before a container started; they use no retry but are bounded. */
  readonly unstarted: number;
  readonly fence: string | null;
  readonly node: string | null;
  readonly image: Image | null;
  readonly cancel: Cancel | null;
  /** Not to be scheduled before. */
  readonly not_before: number | null;
  /** When the reactor has to look at this task if nothing happens. */
  readonly due_at: number | null;
  readonly submitted_at: number;
  readonly started_at: number | null;
  readonly finished_at: number | null;
  readonly exit_code: number | null;
  readonly signal: number | null;
  readonly oom_killed: boolean;
  /** Why it ended, or why the last attempt did; one of {@link Reason}. */
  readonly reason: string | null;
  readonly message: string | null;
  readonly logs: LogCounts | null;
  /** Of the last attempt; null where nothing was pulled for it. */
  readonly pull: Pull | null;
  /** Ids of the sinks that have the output, or gave up. */
  readonly settled_sinks: readonly string[];
  /** Files that were published and are hosted, and their size together. */
  readonly artifacts: number;
  readonly artifact_bytes: number;
}

/** Why an attempt or a task ended, as a field and not as prose. `exit` is a non-zero exit code. */
export type Reason =
  | "exit"
  | "signal"
  | "oom"
  | "timeout"
  | "timeout_unconfirmed"
  | "cancelled"
  | "start_deadline"
  | "start_limit"
  | "image_pull"
  | "image_unavailable"
  | "connection_missing"
  | "stdin_gone"
  | "runtime_refused"
  | "runtime_error"
  | "container_lost"
  | "node_lost"
  | "not_started"
  | "blocked";

/** No event yet. */
export interface AbsentTask {
  readonly status: "absent";
}

/** Waits for a node. */
export type PendingTask = TaskFacts & {
  readonly status: "pending";
  readonly fence: null;
  readonly node: null;
};

/** Has an attempt: offered (`scheduled`), granted (`claimed`), or known to have started (`running`). */
export type PlacedTask = TaskFacts & {
  readonly status: "scheduled" | "claimed" | "running";
  readonly fence: string;
  readonly node: string;
};

/** Over; nothing but sink results, artifacts and erasure can follow. */
export type EndedTask = TaskFacts & {
  readonly status: "succeeded" | "failed" | "cancelled" | "blocked";
  readonly finished_at: number;
};

/** Only the tombstone is left. */
export interface ErasedTask {
  readonly status: "erased";
}

/** The state that events carry. */
export type CarriedTask = PendingTask | PlacedTask | EndedTask;
export type TaskState = AbsentTask | CarriedTask | ErasedTask;

export const absentTask: AbsentTask = { status: "absent" };

/** True when an attempt of the task is on a node. */
export function isPlaced(state: TaskState): state is PlacedTask {
  return state.status === "scheduled" || state.status === "claimed" || state.status === "running";
}

/** True when the task is over but its record is there. */
export function isEnded(state: TaskState): state is EndedTask {
  return (
    state.status === "succeeded" ||
    state.status === "failed" ||
    state.status === "cancelled" ||
    state.status === "blocked"
  );
}

/** True while something can still happen to the task by itself. */
export function isLive(state: TaskState): state is PendingTask | PlacedTask {
  return state.status === "pending" || isPlaced(state);
}
