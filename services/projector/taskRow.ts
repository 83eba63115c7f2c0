import { withTag } from "../domain/spec/imageReference.ts";
import type { AttemptTimes } from "../domain/task/attempts.ts";
import type { TaskEventBody } from "../domain/task/taskEvent.ts";
import type { CarriedTask } from "../domain/task/taskState.ts";
import { storableJson, storableText } from "./storableText.ts";

/** The part of a `tasks` row that never changes, from the task's first event. */
export interface TaskIntentRow {
  readonly spec: string;
  readonly spec_digest: string;
  readonly request_hash: string | null;
  readonly source: string;
  /** JSON text. */
  readonly who: string;
  readonly name: string | null;
  /** JSON text. */
  readonly labels: string;
  /** The spec's image with its tag written out. */
  readonly spec_image: string | null;
  readonly submitted_at: number;
}

/** The part of a `tasks` row that shows the state after an event. */
export interface TaskStateRow {
  readonly tenant: string;
  readonly id: string;
  readonly seq: number;
  readonly status: CarriedTask["status"];
  readonly attempt: number;
  readonly retries_used: number;
  readonly fence: string | null;
  readonly node: string | null;
  readonly image_ref: string | null;
  readonly image_repo_digest: string | null;
  readonly image_id: string | null;
  /** JSON text. */
  readonly cancel: string | null;
  readonly not_before: number | null;
  readonly started_at: number | null;
  readonly finished_at: number | null;
  readonly exit_code: number | null;
  readonly signal: number | null;
  readonly oom_killed: boolean;
  readonly reason: string | null;
  readonly message: string | null;
  readonly stdout_stored: number | null;
  readonly stdout_dropped: number | null;
  readonly stderr_stored: number | null;
  readonly stderr_dropped: number | null;
  /** JSON text. */
  readonly pull: string | null;
  readonly traceparent: string | null;
  /** Of the last attempt; null also where the row as it is has them, and no new attempt began. */
  readonly scheduled_at: number | null;
  readonly claimed_at: number | null;
}

/** Columns of {@link TaskStateRow} with their types, in the order of the statement. */
export const stateColumns = {
  tenant: "text",
  id: "text",
  seq: "bigint",
  status: "text",
  attempt: "int",
  retries_used: "int",
  fence: "text",
  node: "text",
  image_ref: "text",
  image_repo_digest: "text",
  image_id: "text",
  cancel: "jsonb",
  not_before: "bigint",
  started_at: "bigint",
  finished_at: "bigint",
  exit_code: "int",
  signal: "int",
  oom_killed: "boolean",
  reason: "text",
  message: "text",
  stdout_stored: "bigint",
  stdout_dropped: "bigint",
  stderr_stored: "bigint",
  stderr_dropped: "bigint",
  pull: "jsonb",
  traceparent: "text",
  scheduled_at: "bigint",
  claimed_at: "bigint",
} as const satisfies Record<keyof TaskStateRow, string>;

/** Columns of {@link TaskIntentRow} with their types. */
export const intentColumns = {
  spec: "text",
  spec_digest: "text",
  request_hash: "text",
  source: "text",
  who: "jsonb",
  name: "text",
  labels: "jsonb",
  spec_image: "text",
  submitted_at: "bigint",
} as const satisfies Record<keyof TaskIntentRow, string>;

/** The row's changing part after the event at `seq`. */
export function taskStateRow(
  { tenant, id, seq }: { readonly tenant: string; readonly id: string; readonly seq: number },
  state: CarriedTask,
  times: AttemptTimes,
): TaskStateRow {
  const { image, logs } = state;
  return {
    tenant,
    id,
    seq,
    status: state.status,
    attempt: state.attempt,
    retries_used: state.retries_used,
    fence: state.fence,
    node: state.node,
    image_ref: image?.ref ?? null,
    image_repo_digest: image?.repo_digest ?? null,
    image_id: image?.image_id ?? null,
    cancel: state.cancel === null ? null : storableJson(state.cancel),
    not_before: state.not_before,
    started_at: state.started_at,
    finished_at: state.finished_at,
    exit_code: state.exit_code,
    signal: state.signal,
    oom_killed: state.oom_killed,
    reason: state.reason,
    message: state.message === null ? null : storableText(state.message),
    stdout_stored: logs?.stdout.stored ?? null,
    stdout_dropped: logs?.stdout.dropped ?? null,
    stderr_stored: logs?.stderr.stored ?? null,
    stderr_dropped: logs?.stderr.dropped ?? null,
    pull: state.pull === null ? null : storableJson(state.pull),
    traceparent: state.traceparent,
    scheduled_at: times.scheduled_at,
    claimed_at: times.claimed_at,
  };
}

/** The row's lasting part, from the event that holds the spec. */
export function taskIntentRow(
  body: Extract<TaskEventBody, { type: "submitted" | "blocked" }>,
  submittedAt: number,
): TaskIntentRow {
  const spec = JSON.parse(body.spec) as { name?: unknown; labels?: unknown; image?: unknown };
  return {
    spec: body.spec,
    spec_digest: body.spec_digest,
    request_hash: body.request_hash,
    source: body.source,
    who: storableJson(body.who),
    name: typeof spec.name === "string" ? storableText(spec.name) : null,
    labels: storableJson(spec.labels ?? {}),
    spec_image: typeof spec.image === "string" ? storableText(withTag(spec.image)) : null,
    submitted_at: submittedAt,
  };
}
