import type { Attempt as ApiAttempt } from "../../../schemas/api/attempt.ts";
import { toTimestampOrNull } from "../../../schemas/api/timestamp.ts";
import type { Attempt } from "../../domain/task/attempts.ts";
import { pullOf } from "./pullOf.ts";

/** An attempt in the form of the API. */
export function attemptOf(attempt: Attempt): ApiAttempt {
  return {
    ...attempt,
    not_before: toTimestampOrNull(attempt.not_before),
    scheduled_at: toTimestampOrNull(attempt.scheduled_at),
    claimed_at: toTimestampOrNull(attempt.claimed_at),
    started_at: toTimestampOrNull(attempt.started_at),
    finished_at: toTimestampOrNull(attempt.finished_at),
    pull: pullOf(attempt.pull),
  };
}
