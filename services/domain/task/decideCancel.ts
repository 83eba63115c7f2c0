import { type Refusal, refuse } from "../refusal.ts";
import type { TaskCommand, TaskPolicy } from "./taskCommand.ts";
import type { TaskEventBody } from "./taskEvent.ts";
import { type CarriedTask, isEnded } from "./taskState.ts";

/**
 * Before a grant nothing can have started, so the task is cancelled at once. After it the node has to stop
 * what runs and say so. Asking twice is asking once.
 */
export function decideCancel(
  state: CarriedTask,
  command: Extract<TaskCommand, { kind: "cancel" }>,
  policy: TaskPolicy,
): readonly TaskEventBody[] | Refusal {
  const { who, reason, at } = command;
  if (isEnded(state)) {
    return state.status === "cancelled" ? [] : refuse("TASK_ENDED", `the task is over: ${state.status}`);
  }
  if (state.status === "claimed" || state.status === "running") {
    if (state.cancel !== null) return [];
    return [{ type: "cancel_requested", who, reason, due_at: at + policy.stopGraceMs + policy.dueMarginMs }];
  }
  const outcome = {
    exit_code: null,
    signal: null,
    oom_killed: false,
    finished_at: at,
    message: null,
    logs: null,
  };
  return [{ type: "cancelled", fence: state.fence, who, reason, image: null, outcome }];
}
