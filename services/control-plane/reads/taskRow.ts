import { attemptsShownMax } from "../../../schemas/api/attempt.ts";
import type { Task, TaskSummary } from "../../../schemas/api/task.ts";
import { toTimestamp, toTimestampOrNull } from "../../../schemas/api/timestamp.ts";
import { decodeTaskEvent } from "../../../schemas/taskEvents.ts";
import { sinkResults } from "../../domain/sinks/sinkResults.ts";
import type { WorkloadSpec } from "../../domain/spec/workloadSpec.ts";
import { foldArtifacts, noArtifacts } from "../../domain/task/artifacts.ts";
import type { Cancel, Pull, Who } from "../../domain/task/taskState.ts";
import { byName, viewOf } from "../artifacts/artifactViews.ts";
import { pullOf } from "../tasks/pullOf.ts";
import { sinkViews } from "../tasks/sinkViews.ts";
import { type AttemptRow, attemptColumns, attemptOfRow, shownAttemptColumns } from "./attemptRow.ts";

/** A row of `tasks` as lists read it. */
export interface TaskSummaryRow {
  readonly tenant: string;
  readonly id: string;
  readonly status: TaskSummary["status"];
  readonly name: string | null;
  readonly labels: Record<string, string>;
  readonly source: string;
  readonly who: Who;
  readonly attempt: number;
  readonly node: string | null;
  readonly image_ref: string | null;
  readonly image_repo_digest: string | null;
  readonly image_id: string | null;
  readonly exit_code: number | null;
  readonly signal: number | null;
  readonly oom_killed: boolean;
  readonly reason: string | null;
  readonly message: string | null;
  readonly submitted_at: number;
  readonly started_at: number | null;
  readonly finished_at: number | null;
}

/** A whole row. */
export interface TaskRow extends TaskSummaryRow {
  /** Sequence of the event that the row shows. */
  readonly seq: number;
  readonly spec: string;
  readonly spec_digest: string;
  readonly retries_used: number;
  readonly not_before: number | null;
  readonly cancel: Cancel | null;
  readonly stdout_stored: number | null;
  readonly stdout_dropped: number | null;
  readonly stderr_stored: number | null;
  readonly stderr_dropped: number | null;
  readonly pull: Pull | null;
  readonly traceparent: string | null;
  /** Events of its artifacts, oldest first. */
  readonly artifact_events: readonly Buffer[];
  /** Events of its sinks, oldest first. */
  readonly sink_events: readonly Buffer[];
  /** The attempt that the row itself shows; null where there is none. */
  readonly shown: AttemptRow | null;
  /** The last ones of those before, oldest first. */
  readonly earlier: readonly AttemptRow[] | null;
}

export const summaryColumns = `tenant, id, status, name, labels, source, who, attempt, node, image_ref,
  image_repo_digest, image_id, exit_code, signal, oom_killed, reason, message, submitted_at, started_at, finished_at`;

export const taskColumns = `${summaryColumns}, seq, spec, spec_digest, retries_used, not_before, cancel,
  stdout_stored, stdout_dropped, stderr_stored, stderr_dropped, pull, traceparent,
  ARRAY(
    SELECT raw FROM ledger_events AS one
    WHERE one.tenant = tasks.tenant AND one.kind = 'task' AND one.aggregate = tasks.id
      AND one.type IN ('artifact_stored', 'artifact_removed')
    ORDER BY one.epoch, one.seq
  ) AS artifact_events,
  CASE WHEN finished_at IS NULL THEN '{}' ELSE ARRAY(
    SELECT raw FROM ledger_events AS one
    WHERE one.tenant = tasks.tenant AND one.kind = 'task' AND one.aggregate = tasks.id
      AND one.type IN ('sink_delivered', 'sink_failed')
    ORDER BY one.epoch, one.seq
  ) END AS sink_events,
  CASE WHEN fence IS NOT NULL THEN (SELECT to_json(one) FROM (SELECT ${shownAttemptColumns}) AS one) END AS shown,
  CASE WHEN attempt > 1 OR (attempt = 1 AND fence IS NULL) THEN (
    SELECT json_agg(one ORDER BY one.attempt) FROM (
      SELECT ${attemptColumns} FROM attempts
      WHERE attempts.tenant = tasks.tenant AND attempts.task = tasks.id
      ORDER BY attempts.attempt DESC LIMIT ${attemptsShownMax}
    ) AS one
  ) END AS earlier`;

/** The row in the form of the API. */
export function summaryOf(row: TaskSummaryRow): TaskSummary {
  return {
    id: row.id,
    tenant: row.tenant,
    status: row.status,
    name: row.name,
    labels: row.labels,
    source: row.source,
    who: row.who,
    attempt: row.attempt,
    node: row.node,
    image:
      row.image_ref === null
        ? null
        : { ref: row.image_ref, repo_digest: row.image_repo_digest, image_id: row.image_id },
    exit_code: row.exit_code,
    signal: row.signal,
    oom_killed: row.oom_killed,
    reason: row.reason,
    message: row.message,
    submitted_at: toTimestamp(row.submitted_at),
    started_at: toTimestampOrNull(row.started_at),
    finished_at: toTimestampOrNull(row.finished_at),
  };
}

/** The same as `taskFromLedger` makes of the task's messages; a test holds the two together. */
export function taskOf(row: TaskRow): Task {
  const spec = JSON.parse(row.spec) as WorkloadSpec;
  return {
    ...summaryOf(row),
    spec,
    spec_digest: row.spec_digest,
    pending_reason: null,
    retries_used: row.retries_used,
    not_before: toTimestampOrNull(row.not_before),
    cancel: row.cancel && { ...row.cancel, at: toTimestamp(row.cancel.at) },
    logs: logsOf(row),
    pull: pullOf(row.pull),
    traceparent: row.traceparent,
    sinks: sinkViews(spec, sinkResults(row.sink_events.map(decodeTaskEvent))),
    artifacts: byName(foldArtifacts(noArtifacts, row.artifact_events.map(decodeTaskEvent))).map(viewOf),
    attempts: [...(row.earlier ?? []), ...(row.shown === null ? [] : [row.shown])]
      .slice(-attemptsShownMax)
      .map(attemptOfRow),
  };
}

function logsOf(row: TaskRow): Task["logs"] {
  if (row.stdout_stored === null) return null;
  return {
    stdout: { stored: row.stdout_stored, dropped: row.stdout_dropped ?? 0 },
    stderr: { stored: row.stderr_stored ?? 0, dropped: row.stderr_dropped ?? 0 },
  };
}
