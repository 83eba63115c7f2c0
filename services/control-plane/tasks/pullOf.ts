import type { Task } from "../../../schemas/api/task.ts";
import { toTimestamp, toTimestampOrNull } from "../../../schemas/api/timestamp.ts";
import type { Pull } from "../../domain/task/taskState.ts";

/** The pull of a task's image in the form of the API: without its number, which only tells news from repeats. */
export function pullOf(pull: Pull | null): Task["pull"] {
  if (pull === null) return null;
  const { notice: _notice, ...shown } = pull;
  return {
    ...shown,
    started_at: toTimestamp(pull.started_at),
    retry_at: toTimestampOrNull(pull.retry_at),
    finished_at: toTimestampOrNull(pull.finished_at),
  };
}
