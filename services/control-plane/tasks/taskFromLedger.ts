import type { ArtifactView } from "../../../schemas/api/artifact.ts";
import { attemptsShownMax } from "../../../schemas/api/attempt.ts";
import type { Task } from "../../../schemas/api/task.ts";
import { toTimestamp, toTimestampOrNull } from "../../../schemas/api/timestamp.ts";
import type { SinkResult } from "../../domain/sinks/sinkResults.ts";
import type { WorkloadSpec } from "../../domain/spec/workloadSpec.ts";
import type { Attempt } from "../../domain/task/attempts.ts";
import type { TaskState } from "../../domain/task/taskState.ts";
import { Rejection } from "../../kernel/errors.ts";
import type { TaskKey } from "../../kernel/ledger/taskLedger.ts";
import { attemptOf } from "./attemptOf.ts";
import { pullOf } from "./pullOf.ts";
import { sinkViews } from "./sinkViews.ts";

/**
 * A task as the API shows it, from what its ledger messages carry. `pending_reason` is null: it is not of the
 * task but of the nodes there are.
 * @param of.spec what the task's first event holds as canonical JSON
 * @throws Rejection `TASK_NOT_FOUND`, `TASK_ERASED` for states that nothing can be shown of
 */
export function taskFromLedger(of: {
  readonly key: TaskKey;
  readonly state: TaskState;
  readonly spec: WorkloadSpec;
  /** Oldest first. */
  readonly attempts: readonly Attempt[];
  /** By name. */
  readonly artifacts: readonly ArtifactView[];
  /** None: no sink has one. */
  readonly sinks?: ReadonlyMap<string, SinkResult>;
}): Task {
  const { key, state, spec, attempts, artifacts, sinks = new Map() } = of;
  if (state.status === "absent") throw new Rejection("TASK_NOT_FOUND", "There is no such task.");
  if (state.status === "erased") throw new Rejection("TASK_ERASED", "The task has been erased.");
  return {
    id: key.task,
    tenant: key.tenant,
    status: state.status,
    name: spec.name,
    labels: spec.labels,
    source: state.source,
    who: state.who,
    attempt: state.attempt,
    node: state.node,
    image: state.image,
    exit_code: state.exit_code,
    signal: state.signal,
    oom_killed: state.oom_killed,
    reason: state.reason,
    message: state.message,
    submitted_at: toTimestamp(state.submitted_at),
    started_at: toTimestampOrNull(state.started_at),
    finished_at: toTimestampOrNull(state.finished_at),
    spec,
    spec_digest: state.spec_digest,
    pending_reason: null,
    retries_used: state.retries_used,
    not_before: toTimestampOrNull(state.not_before),
    cancel: state.cancel && { ...state.cancel, at: toTimestamp(state.cancel.at) },
    logs: state.logs,
    pull: pullOf(state.pull),
    traceparent: state.traceparent,
    sinks: sinkViews(spec, sinks),
    artifacts: [...artifacts],
    attempts: attempts.slice(-attemptsShownMax).map(attemptOf),
  };
}
