import { type Refusal, refuse } from "../refusal.ts";
import { afterAttempt } from "./afterAttempt.ts";
import { startDeadline } from "./startDeadline.ts";
import type { TaskCommand } from "./taskCommand.ts";
import type { TaskEventBody } from "./taskEvent.ts";
import { type CarriedTask, isEnded, type PlacedTask, type Reason } from "./taskState.ts";

const nothingKnown = {
  exit_code: null,
  signal: null,
  oom_killed: false,
  finished_at: null,
  logs: null,
} as const;

/**
 * The attempt's node has been silent beyond lease and grace. An offer goes back; a granted attempt counts as
 * started, so it is tried again only within `max_retries`: a side effect is never run twice unasked.
 */
export function decideLoss(
  state: CarriedTask,
  command: Extract<TaskCommand, { kind: "lose" }>,
): readonly TaskEventBody[] | Refusal {
  if (isEnded(state)) return [];
  if (state.fence !== command.fence) return refuse("STALE_FENCE", "the attempt is over");
  return lost(state as PlacedTask, "node_lost", command);
}

/** `due_at` has passed. What cannot be settled yet is an empty decision; the reactor asks again later. */
export function decideDue(
  state: CarriedTask,
  command: Extract<TaskCommand, { kind: "due" }>,
): readonly TaskEventBody[] {
  if (state.due_at === null || command.at < state.due_at) return [];
  switch (state.status) {
    case "pending":
      return startDeadlinePassed(state, command.at);
    case "scheduled":
      return [offerExpired(state)];
    case "claimed":
      return command.nodeLost ? lost(state, "node_lost", command) : [];
    case "running":
      return command.nodeLost ? lost(state, state.cancel ? "node_lost" : "timeout_unconfirmed", command) : [];
    default:
      // Ended: its due time is its expiry, and erasing is a command of its own.
      return [];
  }
}

function startDeadlinePassed(state: CarriedTask, at: number): TaskEventBody[] {
  const deadline = startDeadline(state);
  if (deadline === null || at < deadline) return [];
  const message = `not started within ${(state.limits.start_within_ms ?? 0) / 1000} s`;
  const outcome = { ...nothingKnown, finished_at: at, message };
  return [{ type: "failed", fence: null, reason: "start_deadline", image: null, outcome }];
}

function offerExpired(state: PlacedTask): TaskEventBody {
  const message = `node ${state.node} did not take the offer in time`;
  return {
    type: "returned",
    fence: state.fence,
    reason: "offer_expired",
    message,
    due_at: startDeadline(state),
  };
}

function lost(
  state: PlacedTask,
  reason: Reason,
  command: { readonly at: number; readonly jitter: number },
): readonly TaskEventBody[] {
  if (state.status === "scheduled") return [offerExpired(state)];
  const message = `node ${state.node} has been silent for too long; whether the command ran to its end is unknown`;
  const end = {
    kind: "lost",
    reason,
    image: null,
    final: false,
    notBeforeMs: 0,
    outcome: { ...nothingKnown, message },
  } as const;
  return [afterAttempt(state, end, command)];
}
