import { assertNever } from "../assertNever.ts";
import { startDeadline } from "./startDeadline.ts";
import type { Outcome, TaskEventBody } from "./taskEvent.ts";
import type { CarriedTask, EndedTask, PendingTask, PlacedTask, TaskState } from "./taskState.ts";

/** The event does not follow from the state it is applied to: the history itself is wrong. */
export class IllegalTransition extends Error {
  override readonly name = "IllegalTransition";
  constructor(status: string, type: string) {
    super(`a task that is ${status} cannot be ${type}`);
  }
}

/**
 * The state after `event`. Total over legal histories, and loud over others: a reader that meets a transition
 * it cannot place must stop, never guess.
 * @param at milliseconds since 1970, from the event
 * @throws IllegalTransition
 */
export function evolve(state: TaskState, event: TaskEventBody, at: number): TaskState {
  switch (event.type) {
    case "submitted":
    case "blocked":
      if (state.status !== "absent") throw new IllegalTransition(state.status, event.type);
      return event.type === "submitted" ? submitted(event, at) : blocked(event, at);
    case "scheduled":
      return scheduled(only(state, event, "pending"), event);
    case "returned":
      return pending(only(state, event, "scheduled"), event.due_at, null);
    case "claimed":
      return { ...placed(only(state, event, "scheduled")), status: "claimed", due_at: event.due_at };
    case "pulling":
      return {
        ...placed(only(state, event, "claimed")),
        pull: event.pull,
        image: event.image ?? image(state),
      };
    case "running":
      return {
        ...placed(only(state, event, "claimed")),
        status: "running",
        image: event.image ?? image(state),
        started_at: event.started_at,
        due_at: event.due_at,
      };
    case "retrying":
      return retrying(only(state, event, "claimed", "running"), event);
    case "cancel_requested":
      return cancelRequested(only(state, event, "claimed", "running"), event, at);
    case "succeeded":
      return ended(only(state, event, "claimed", "running"), "succeeded", null, event, at);
    case "failed":
      return ended(only(state, event, "pending", "claimed", "running"), "failed", event.reason, event, at);
    case "cancelled":
      return {
        ...ended(
          only(state, event, "pending", "scheduled", "claimed", "running"),
          "cancelled",
          "cancelled",
          event,
          at,
        ),
        cancel: carried(state).cancel ?? { at, who: event.who, reason: event.reason },
      };
    case "artifact_stored":
      return artifactStored(only(state, event, "claimed", "running", ...overAfterAttempt), event);
    case "artifact_removed":
      return artifactRemoved(
        only(state, event, "pending", "scheduled", "claimed", "running", ...overAfterAttempt),
        event,
      );
    case "sink_delivered":
    case "sink_failed":
      return sinkSettled(only(state, event, ...overAfterAttempt), event.sink);
    case "erased":
      only(state, event, "succeeded", "failed", "cancelled", "blocked");
      return { status: "erased" };
    default:
      return assertNever(event);
  }
}

/** Over, and something may have run. */
const overAfterAttempt = ["succeeded", "failed", "cancelled"] as const;

/** INV-LEGAL: only the transitions of the state table are ever applied. */
function only(state: TaskState, event: TaskEventBody, ...from: readonly TaskState["status"][]): CarriedTask {
  if (!from.includes(state.status)) throw new IllegalTransition(state.status, event.type);
  return carried(state);
}

function carried(state: TaskState): CarriedTask {
  if (state.status === "absent" || state.status === "erased")
    throw new IllegalTransition(state.status, "read");
  return state;
}

function placed(state: CarriedTask): PlacedTask {
  return state as PlacedTask;
}

function image(state: TaskState) {
  return carried(state).image;
}

type Event<T extends TaskEventBody["type"]> = Extract<TaskEventBody, { type: T }>;

function fresh(event: Event<"submitted"> | Event<"blocked">, at: number) {
  return {
    spec_digest: event.spec_digest,
    request_hash: event.request_hash,
    source: event.source,
    who: event.who,
    limits: event.limits,
    attempt: 0,
    retries_used: 0,
    unstarted: 0,
    fence: null,
    node: null,
    image: event.image,
    cancel: null,
    not_before: null,
    due_at: null,
    submitted_at: at,
    started_at: null,
    finished_at: null,
    exit_code: null,
    signal: null,
    oom_killed: false,
    reason: null,
    message: null,
    logs: null,
    traceparent: event.traceparent,
    tracestate: event.tracestate,
    pull: null,
    settled_sinks: [],
    artifacts: 0,
    artifact_bytes: 0,
  } as const;
}

function submitted(event: Event<"submitted">, at: number): PendingTask {
  return { ...fresh(event, at), status: "pending", due_at: event.due_at };
}

function blocked(event: Event<"blocked">, at: number): EndedTask {
  return {
    ...fresh(event, at),
    status: "blocked",
    reason: "blocked",
    message: event.message,
    finished_at: at,
    due_at: expiry(event.limits.ttl_ms, at),
  };
}

function scheduled(state: CarriedTask, event: Event<"scheduled">): PlacedTask {
  return {
    ...state,
    status: "scheduled",
    attempt: state.attempt + 1,
    node: event.node,
    fence: event.fence,
    not_before: null,
    due_at: event.due_at,
    started_at: null,
    exit_code: null,
    signal: null,
    oom_killed: false,
    reason: null,
    message: null,
    logs: null,
    pull: null,
    finished_at: null,
  };
}

function pending(state: CarriedTask, dueAt: number | null, notBefore: number | null): PendingTask {
  return {
    ...state,
    status: "pending",
    node: null,
    fence: null,
    due_at: dueAt,
    not_before: notBefore,
    finished_at: null,
  };
}

function retrying(state: CarriedTask, event: Event<"retrying">): PendingTask {
  const deadline = event.uses_retry ? null : startDeadline(state);
  const dueAt = Math.min(event.not_before, deadline ?? event.not_before);
  return {
    ...pending(state, dueAt, event.not_before),
    image: event.image ?? state.image,
    retries_used: state.retries_used + (event.uses_retry ? 1 : 0),
    unstarted: state.unstarted + (event.uses_retry ? 0 : 1),
    exit_code: event.outcome.exit_code,
    signal: event.outcome.signal,
    oom_killed: event.outcome.oom_killed,
    reason: event.reason,
    message: event.outcome.message,
    logs: event.outcome.logs,
  };
}

function cancelRequested(state: CarriedTask, event: Event<"cancel_requested">, at: number): PlacedTask {
  return { ...placed(state), cancel: { at, who: event.who, reason: event.reason }, due_at: event.due_at };
}

function ended(
  state: CarriedTask,
  status: "succeeded" | "failed" | "cancelled",
  reason: string | null,
  event: { readonly image: CarriedTask["image"]; readonly outcome: Outcome },
  at: number,
): EndedTask {
  const { outcome } = event;
  return {
    ...state,
    status,
    reason,
    image: event.image ?? state.image,
    not_before: null,
    due_at: expiry(state.limits.ttl_ms, at),
    finished_at: outcome.finished_at,
    exit_code: outcome.exit_code,
    signal: outcome.signal,
    oom_killed: outcome.oom_killed,
    message: outcome.message,
    logs: outcome.logs,
  };
}

function artifactStored(state: CarriedTask, event: Event<"artifact_stored">): CarriedTask {
  const { bytes, replaced_bytes } = event;
  return {
    ...state,
    artifacts: state.artifacts + (replaced_bytes === null ? 1 : 0),
    artifact_bytes: state.artifact_bytes + bytes - (replaced_bytes ?? 0),
  };
}

function artifactRemoved(state: CarriedTask, event: Event<"artifact_removed">): CarriedTask {
  const { artifacts, artifact_bytes } = state;
  return { ...state, artifacts: artifacts - 1, artifact_bytes: artifact_bytes - event.bytes };
}

function sinkSettled(state: CarriedTask, sink: string): CarriedTask {
  if (state.settled_sinks.includes(sink)) return state;
  return { ...state, settled_sinks: [...state.settled_sinks, sink] };
}

/** Counted from the event's time, not from the node's `finished_at`: only one clock may decide. */
function expiry(ttlMs: number | null, at: number): number | null {
  return ttlMs === null ? null : at + ttlMs;
}
