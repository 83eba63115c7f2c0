import type { Attempt } from "../domain/task/attempts.ts";
import { storableJson, storableText } from "./storableText.ts";

/** A row of `attempts`: one that is over while its task went on. */
export interface AttemptRow {
  readonly tenant: string;
  readonly task: string;
  readonly attempt: number;
  readonly fence: string;
  /** Null where its offer was in an earlier batch: the statement takes it from the task's row, as the times. */
  readonly node: string | null;
  readonly ended_by: string;
  readonly reason: string;
  readonly message: string | null;
  readonly uses_retry: boolean;
  readonly not_before: number | null;
  readonly scheduled_at: number | null;
  readonly claimed_at: number | null;
  readonly started_at: number | null;
  readonly finished_at: number;
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
  /** JSON text. */
  readonly pull: string | null;
}

/** Columns of {@link AttemptRow} with their types, in the order of the statement. */
export const attemptColumns = {
  tenant: "text",
  task: "text",
  attempt: "int",
  fence: "text",
  node: "text",
  ended_by: "text",
  reason: "text",
  message: "text",
  uses_retry: "boolean",
  not_before: "bigint",
  scheduled_at: "bigint",
  claimed_at: "bigint",
  started_at: "bigint",
  finished_at: "bigint",
  exit_code: "int",
  signal: "int",
  oom_killed: "boolean",
  image_ref: "text",
  image_repo_digest: "text",
  image_id: "text",
  stdout_stored: "bigint",
  stdout_dropped: "bigint",
  stderr_stored: "bigint",
  stderr_dropped: "bigint",
  pull: "jsonb",
} as const satisfies Record<keyof AttemptRow, string>;

/** The row of an attempt that is over. */
export function attemptRow(
  of: { readonly tenant: string; readonly task: string },
  attempt: Attempt,
): AttemptRow {
  const { image, logs, pull, message, reason, ended_by, finished_at, ...facts } = attempt;
  return {
    ...of,
    ...facts,
    ended_by: ended_by ?? "",
    reason: reason ?? "",
    message: message === null ? null : storableText(message),
    finished_at: finished_at ?? 0,
    image_ref: image?.ref ?? null,
    image_repo_digest: image?.repo_digest ?? null,
    image_id: image?.image_id ?? null,
    stdout_stored: logs?.stdout.stored ?? null,
    stdout_dropped: logs?.stdout.dropped ?? null,
    stderr_stored: logs?.stderr.stored ?? null,
    stderr_dropped: logs?.stderr.dropped ?? null,
    pull: pull === null ? null : storableJson(pull),
  };
}
