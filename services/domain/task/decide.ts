import { assertNever } from "../assertNever.ts";
import { type Refusal, refuse } from "../refusal.ts";
import { decideArtifact } from "./decideArtifact.ts";
import { decideCancel } from "./decideCancel.ts";
import { decideDue, decideLoss } from "./decideLoss.ts";
import { decideReport } from "./decideReport.ts";
import { startDeadline } from "./startDeadline.ts";
import type { TaskCommand, TaskPolicy } from "./taskCommand.ts";
import type { TaskEventBody } from "./taskEvent.ts";
import { isEnded, type TaskState } from "./taskState.ts";

/** The events to append, oldest first; an empty list means that the wanted state is there already. */
export type Decision = readonly TaskEventBody[] | Refusal;

/**
 * What a command means for a task. Pure and total: same state and command, same answer, and every pair has one.
 *
 * Refusals: `TASK_EXISTS`, `TASK_ERASED`, `TASK_NOT_FOUND`, `TASK_ENDED`, `TASK_NOT_PENDING`, `STALE_FENCE`,
 * `STATE_BEHIND` (the state seen is older than what the command knows of: read again), `TASK_NOT_ENDED`,
 * `ARTIFACT_EXISTS`, `ARTIFACT_LIMIT`.
 */
export function decide(state: TaskState, command: TaskCommand, policy: TaskPolicy): Decision {
  if (command.kind === "submit") return decideSubmit(state, command);
  if (state.status === "absent") return refuse("TASK_NOT_FOUND", "no such task");
  if (state.status === "erased") return refuse("TASK_ERASED", "the task has been erased");
  switch (command.kind) {
    case "schedule":
      return decideSchedule(state, command, policy);
    case "decline":
      return decideDecline(state, command);
    case "grant":
      return decideGrant(state, command, policy);
    case "report":
      return decideReport(state, command, policy);
    case "lose":
      return decideLoss(state, command);
    case "due":
      return decideDue(state, command);
    case "cancel":
      return decideCancel(state, command, policy);
    case "store_artifact":
    case "remove_artifact":
      return decideArtifact(state, command);
    case "sink_delivered":
    case "sink_failed":
      return decideSink(state, command);
    case "erase":
      return decideErase(state, command);
    default:
      return assertNever(command);
  }
}

type Command<K extends TaskCommand["kind"]> = Extract<TaskCommand, { kind: K }>;

function decideSubmit(state: TaskState, command: Command<"submit">): Decision {
  if (state.status === "erased") return refuse("TASK_ERASED", "the task of this key has been erased");
  if (state.status !== "absent") return refuse("TASK_EXISTS", "a task of this id exists");
  const { spec, spec_digest, request_hash, source, who, limits, image, at, traceparent, tracestate } =
    command;
  const intent = { spec, spec_digest, request_hash, source, who, limits, image, traceparent, tracestate };
  if (command.blocked) {
    return [{ type: "blocked", ...intent, blocked_by: command.blocked.by, message: command.blocked.message }];
  }
  const due = limits.start_within_ms === null ? null : at + limits.start_within_ms;
  return [{ type: "submitted", ...intent, due_at: due }];
}

function decideSchedule(
  state: Exclude<TaskState, { status: "absent" | "erased" }>,
  command: Command<"schedule">,
  policy: TaskPolicy,
): Decision {
  if (state.status !== "pending") return refuse("TASK_NOT_PENDING", `the task is ${state.status}`);
  if (state.not_before !== null && command.at < state.not_before) {
    return refuse("TASK_NOT_PENDING", "the task waits before its next attempt");
  }
  // The event's own id is part of the fence: an attempt number alone comes again after a ledger was repaired.
  const fence = `${state.attempt + 1}.${command.id}`;
  return [{ type: "scheduled", node: command.node, fence, due_at: command.at + policy.claimLimitMs }];
}

function decideDecline(
  state: Exclude<TaskState, { status: "absent" | "erased" }>,
  command: Command<"decline">,
): Decision {
  if (state.status !== "scheduled" || state.fence !== command.fence || state.node !== command.node) {
    return refuse("STALE_FENCE", "this offer is over");
  }
  const { fence, message } = command;
  return [{ type: "returned", fence, reason: "declined", message, due_at: startDeadline(state) }];
}

function decideGrant(
  state: Exclude<TaskState, { status: "absent" | "erased" }>,
  command: Command<"grant">,
  policy: TaskPolicy,
): Decision {
  if (state.attempt < command.attempt)
    return refuse("STATE_BEHIND", "the offer is newer than the state seen");
  if (state.fence !== command.fence || state.node !== command.node) {
    return refuse("STALE_FENCE", "this offer is over");
  }
  if (isEnded(state)) return refuse("TASK_ENDED", `the task is ${state.status}`);
  if (state.status === "scheduled") {
    const due_at = command.at + policy.startLimitMs + policy.dueMarginMs;
    return [{ type: "claimed", fence: command.fence, due_at }];
  }
  // The node asks again (its memory or the answer was lost): the same yes, unless the task is to stop.
  return state.cancel === null ? [] : refuse("TASK_ENDED", "the task is being cancelled");
}

function decideSink(
  state: Exclude<TaskState, { status: "absent" | "erased" }>,
  command: Command<"sink_delivered"> | Command<"sink_failed">,
): Decision {
  if (!isEnded(state)) return refuse("TASK_NOT_ENDED", "the task is not over");
  // A sink settles once: what comes again after a restart of its worker adds nothing. What an operator had sent again
  // after it had failed is told beside that, and settles nothing anew.
  const isResent = command.kind === "sink_delivered" && command.resent === true;
  if (state.settled_sinks.includes(command.sink) && !isResent) return [];
  if (command.kind === "sink_delivered") {
    return [{ type: "sink_delivered", sink: command.sink, receipt: command.receipt }];
  }
  return [{ type: "sink_failed", sink: command.sink, tries: command.tries, message: command.message }];
}

/**
 * Its output goes to every sink first, unless they are given up; one that failed for good is settled too, and what never
 * ran has no output.
 */
function decideErase(
  state: Exclude<TaskState, { status: "absent" | "erased" }>,
  command: Command<"erase">,
): Decision {
  if (!isEnded(state)) {
    return refuse("TASK_NOT_ENDED", `the task is ${state.status}, and only what is over is erased`, {
      hint: "Cancel it, wait for its end, and ask again.",
    });
  }
  const open = state.status === "blocked" ? 0 : state.limits.sinks - state.settled_sinks.length;
  if (open > 0 && !command.giveUpSinks)
    return refuse("SINKS_NOT_SETTLED", `the task's output has yet to go to ${open} of its sinks`);
  return [{ type: "erased" }];
}
