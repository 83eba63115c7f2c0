import type { Attempt as ApiAttempt } from "../../../schemas/api/attempt.ts";
import type { Attempt } from "../../domain/task/attempts.ts";
import type { Pull } from "../../domain/task/taskState.ts";
import { attemptOf } from "../tasks/attemptOf.ts";

/** A row of `attempts`, or the last attempt in the shape of one. */
export interface AttemptRow {
  readonly attempt: number;
  readonly fence: string;
  readonly node: string | null;
  readonly ended_by: Attempt["ended_by"];
  readonly reason: string | null;
  readonly message: string | null;
  readonly uses_retry: boolean;
  readonly not_before: number | null;
  readonly scheduled_at: number | null;
  readonly claimed_at: number | null;
  readonly started_at: number | null;
  readonly finished_at: number | null;
  readonly exit_code: number | null;
  readonly signal: number | null;
  readonly oom_killed: boolean;
  readonly image_ref: string | null;
  readonly image_repo_digest: string | null;
  readonly image_id: string | null;
  readonly stdout_stored: number | null;
  readonly stdout_dropped: number | null;
  readonly stderr_stored: number | null;
  readonly stderr_dropped: number | null;
  readonly pull: Pull | null;
}

const same = `attempt, fence, node, reason, message, scheduled_at, claimed_at, started_at, finished_at, exit_code, signal,
  oom_killed, stdout_stored, stdout_dropped, stderr_stored, stderr_dropped, pull`;

/** Columns of an attempt that is over while its task went on, from `attempts`. */
export const attemptColumns = `${same}, ended_by, uses_retry, not_before, image_ref, image_repo_digest, image_id`;

const ran = "started_at IS NOT NULL OR status = 'succeeded'";

/** The same of the attempt that the task's own row shows, from `tasks` where `fence` is set. */
export const shownAttemptColumns = `${same},
  CASE WHEN status IN ('succeeded', 'failed', 'cancelled') THEN status END AS ended_by,
  false AS uses_retry, NULL::bigint AS not_before,
  CASE WHEN ${ran} THEN image_ref END AS image_ref,
  CASE WHEN ${ran} THEN image_repo_digest END AS image_repo_digest,
  CASE WHEN ${ran} THEN image_id END AS image_id`;

/** The row in the form of the API. */
export function attemptOfRow(row: AttemptRow): ApiAttempt {
  const { image_ref, image_repo_digest, image_id } = row;
  const { stdout_stored, stdout_dropped, stderr_stored, stderr_dropped, ...rest } = row;
  const { image_ref: _ref, image_repo_digest: _digest, image_id: _id, ...facts } = rest;
  return attemptOf({
    ...facts,
    image: image_ref === null ? null : { ref: image_ref, repo_digest: image_repo_digest, image_id },
    logs:
      stdout_stored === null
        ? null
        : {
            stdout: { stored: stdout_stored, dropped: stdout_dropped ?? 0 },
            stderr: { stored: stderr_stored ?? 0, dropped: stderr_dropped ?? 0 },
          },
  });
}
