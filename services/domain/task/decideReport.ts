import type { Report } from "../../../schemas/messages/node.ts";
import { type Refusal, refuse } from "../refusal.ts";
import { type AttemptEnd, afterAttempt } from "./afterAttempt.ts";
import type { TaskCommand, TaskPolicy } from "./taskCommand.ts";
import type { TaskEventBody } from "./taskEvent.ts";
import { type CarriedTask, isEnded, type PlacedTask } from "./taskState.ts";

/**
 * The most news of one attempt's pull that is recorded. A node says less by itself; this is what holds if it
 * does not, for every piece costs the ledger an event.
 */
export const PULL_NOTICES_MAX = 64;

/**
 * What a node's cumulative report adds to the history: news of the pull, `running` if it is missing, then the
 * attempt's end if there is one. A report that says nothing new is an empty decision; one of another fence is
 * refused.
 */
export function decideReport(
  state: CarriedTask,
  command: Extract<TaskCommand, { kind: "report" }>,
  policy: TaskPolicy,
): readonly TaskEventBody[] | Refusal {
  const { report } = command;
  if (report.attempt > state.attempt) {
    return refuse("STATE_BEHIND", "the report is of a newer attempt than the state seen");
  }
  if (state.fence !== report.fence || state.node !== report.node) {
    return refuse("STALE_FENCE", "the report is of an attempt that is over");
  }
  if (isEnded(state)) return [];
  if (state.status === "scheduled") {
    return refuse("STALE_FENCE", "the attempt was never granted");
  }
  const before =
    state.status === "claimed"
      ? [...pulling(report, state), ...running(report, state, command.at, policy)]
      : [];
  const end = attemptEnd(report);
  if (end === null) return before;
  return [...before, afterAttempt(state, end, command)];
}

/** By its number, news is told apart from a report that comes again or late. */
function pulling(report: Report, state: PlacedTask): TaskEventBody[] {
  const { pull, fence, image } = report;
  if (pull === null || pull.notice <= (state.pull?.notice ?? 0) || pull.notice > PULL_NOTICES_MAX) return [];
  return [{ type: "pulling", fence, pull, image: pull.finished_at === null ? null : image }];
}

function running(report: Report, state: PlacedTask, at: number, policy: TaskPolicy): TaskEventBody[] {
  if (report.started_at === null) return [];
  // Counted from our own clock: the node's enforces the timeout, ours only notices when the node cannot.
  const due_at = at + state.limits.timeout_ms + policy.stopGraceMs + policy.dueMarginMs;
  return [
    { type: "running", fence: report.fence, image: report.image, started_at: report.started_at, due_at },
  ];
}

function attemptEnd(report: Report): AttemptEnd | null {
  const { ended, not_started: notStarted, image, logs } = report;
  if (notStarted) {
    return {
      kind: "unstarted",
      reason:
        notStarted.reason === "cancelled" || notStarted.reason === "declined"
          ? "not_started"
          : notStarted.reason,
      image,
      final: notStarted.final,
      notBeforeMs: notStarted.retry_after_ms ?? 0,
      outcome: { ...nothingRan, finished_at: null, message: notStarted.message, logs },
    };
  }
  if (!ended) return null;
  const { exit_code, signal, oom_killed, finished_at, message } = ended;
  return {
    kind: ended.failure !== null ? "lost" : ended.stopped_by === null ? "own" : "stopped",
    reason: endReason(ended),
    image,
    final: false,
    notBeforeMs: 0,
    outcome: { exit_code, signal, oom_killed, finished_at, message, logs },
  };
}

const nothingRan = { exit_code: null, signal: null, oom_killed: false } as const;

/** Null is success. Who stopped it goes before what the kernel says: a killed container shows signal 9 either way. */
function endReason(ended: NonNullable<Report["ended"]>): AttemptEnd["reason"] {
  if (ended.failure !== null) return ended.failure;
  if (ended.stopped_by === "timeout") return "timeout";
  if (ended.stopped_by === "cancel") return "cancelled";
  if (ended.stopped_by !== null) return "node_lost";
  if (ended.oom_killed) return "oom";
  if (ended.signal !== null) return "signal";
  return ended.exit_code === 0 ? null : "exit";
}
