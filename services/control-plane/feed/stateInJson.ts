import { toTimestamp, toTimestampOrNull } from "../../../schemas/api/timestamp.ts";
import type { CarriedTask, ErasedTask } from "../../domain/task/taskState.ts";

/**
 * The state that an event carries, in JSON: the names of the Avro record `State`, times as RFC 3339 text. Null where
 * only the tombstone is left. Pure.
 */
export function stateInJson(state: CarriedTask | ErasedTask) {
  if (state.status === "erased") return null;
  const { cancel, pull } = state;
  return {
    ...state,
    not_before: toTimestampOrNull(state.not_before),
    due_at: toTimestampOrNull(state.due_at),
    submitted_at: toTimestamp(state.submitted_at),
    started_at: toTimestampOrNull(state.started_at),
    finished_at: toTimestampOrNull(state.finished_at),
    cancel: cancel === null ? null : { ...cancel, at: toTimestamp(cancel.at) },
    pull:
      pull === null
        ? null
        : {
            ...pull,
            started_at: toTimestamp(pull.started_at),
            retry_at: toTimestampOrNull(pull.retry_at),
            finished_at: toTimestampOrNull(pull.finished_at),
          },
  };
}
