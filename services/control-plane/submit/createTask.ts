import type { SubmittedTask } from "../../../schemas/api/submittedTask.ts";
import { isRefusal } from "../../domain/refusal.ts";
import type { SpecWarning } from "../../domain/spec/readSpec.ts";
import type { WorkloadSpec } from "../../domain/spec/workloadSpec.ts";
import type { Image, TaskLimits, TaskState, TraceContext, Who } from "../../domain/task/taskState.ts";
import { Rejection, Retryable } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import type { TaskKey, TaskVersion } from "../../kernel/ledger/taskLedger.ts";
import type { ApiPorts } from "../ports.ts";
import { artifactsInLedger } from "../tasks/artifactsInLedger.ts";
import { attemptsInLedger } from "../tasks/attemptsInLedger.ts";
import { sinkResultsInLedger } from "../tasks/sinkViews.ts";
import { taskFromLedger } from "../tasks/taskFromLedger.ts";
import { requireProjector } from "./checkpointWatch.ts";
import type { Creation } from "./idempotency.ts";
import { requireConnections } from "./requireConnections.ts";
import { requireRoom } from "./requireRoom.ts";
import { rejectionOf } from "./specRequest.ts";

/** What a new task is made from. */
export interface NewTask {
  readonly tenant: string;
  readonly who: Who;
  /** Of the request; without one the task begins a trace. */
  readonly trace: TraceContext;
  readonly creation: Creation;
  /** Tells a repeat of the same request from another one under the same key. */
  readonly requestHash: string;
  readonly spec: WorkloadSpec;
  /** Canonical JSON. */
  readonly specJson: string;
  readonly specDigest: string;
  readonly limits: TaskLimits;
  readonly image: Image | null;
  readonly source: string;
  readonly warnings: readonly SpecWarning[];
}

/** What submitting takes. */
export type SubmitPorts = Pick<
  ApiPorts,
  | "clock"
  | "ledger"
  | "gate"
  | "quotas"
  | "storage"
  | "database"
  | "checkpoints"
  | "connections"
  | "ack"
  | "ackWaitMs"
  | "newTraceparent"
  | "pendingReason"
>;

export interface Created {
  readonly task: SubmittedTask;
  /** True when an earlier request with this key made it. */
  readonly repeated: boolean;
  /** Sequence of the task's last event. */
  readonly seq: number;
}

/**
 * Appends a task's first event and answers when it is acknowledged as configured. The same key again gives the
 * same task; its compare-and-set is the dedupe.
 *
 * INV-NOTHING-TAKEN-IN-VAIN: while Postgres or its projector is away nothing is appended.
 * @throws Rejection `IDEMPOTENCY_KEY_REUSED`, `TASK_ERASED`; Retryable `PROJECTOR_DOWN`,
 *   `STORAGE_FULL`, `DATABASE_UNAVAILABLE`, `LEDGER_REGRESSED`, `LEDGER_UNAVAILABLE`, `ACK_UNKNOWN`,
 *   `QUOTA_EXCEEDED`
 */
export async function createTask(ports: SubmitPorts, wanted: NewTask): Promise<Created> {
  // Room first: a full disk silences all the others, and its cause is what helps.
  requireRoom(ports.storage);
  requireDatabase(ports);
  // Then the ledger: one that lost events silences the projector, and is no matter of waiting.
  if (ports.gate?.state === "regressed") await ports.gate.open();
  requireProjector(ports.checkpoints);
  const { tenant, creation } = wanted;
  const key = { tenant, task: creation.id };
  await refuseOnlyNew(ports, key, () =>
    requireConnections(ports.connections, tenant, wanted.spec.connections ?? []),
  );
  const notThere = await refuseOnlyNew(ports, key, () => ports.quotas.admitSubmit(key));
  const executed = await inDoubtTell(creation, () =>
    ports.ledger.execute(key, {
      kind: "submit",
      id: newId(ports.clock.now()),
      at: ports.clock.now(),
      spec: wanted.specJson,
      spec_digest: wanted.specDigest,
      request_hash: wanted.requestHash,
      source: wanted.source,
      who: wanted.who,
      limits: wanted.limits,
      image: wanted.image,
      traceparent: wanted.trace.traceparent ?? ports.newTraceparent(),
      tracestate: wanted.trace.tracestate,
      blocked: null,
    }),
  ).catch((error) => {
    // Where it was stored after all, the fold counts it.
    notThere?.();
    throw error;
  });
  if (!isRefusal(executed)) {
    await acknowledge(ports, executed.seq, creation);
    return answer(ports, wanted, executed, false);
  }
  notThere?.();
  if (executed.code !== "TASK_EXISTS") throw rejectionOf(executed);
  const existing = await ports.ledger.load(key);
  refuseMisuse(existing.state, wanted);
  await acknowledge(ports, existing.seq, creation);
  return answer(ports, wanted, existing, true);
}

/**
 * Does what may refuse the task. A repeat gets the first answer whatever became of its connections since, and though it may be
 * the very task that fills the quota.
 * @returns what `act` gave; null for a repeat that it refused
 */
async function refuseOnlyNew<T>(ports: SubmitPorts, key: TaskKey, act: () => Promise<T>): Promise<T | null> {
  try {
    return await act();
  } catch (error) {
    const isForNew =
      error instanceof Rejection || (error instanceof Retryable && error.code === "QUOTA_EXCEEDED");
    if (!isForNew) throw error;
    const { state } = await ports.ledger.load(key);
    if (state.status === "absent") throw error;
    return null;
  }
}

function requireDatabase(ports: SubmitPorts): void {
  if (ports.database.up()) return;
  throw new Retryable("DATABASE_UNAVAILABLE", "Nothing was submitted: Postgres does not answer.", {
    hint: "Wait, then send the request again.",
  });
}

function refuseMisuse(state: TaskState, wanted: NewTask): void {
  if (state.status === "erased") throw new Rejection("TASK_ERASED", "The task of this key has been erased.");
  if (state.status !== "absent" && state.request_hash === wanted.requestHash) return;
  throw new Rejection("IDEMPOTENCY_KEY_REUSED", "This Idempotency-Key was used for another request.", {
    hint: "Use a new key for a new task, or send exactly the request that the key was first used for.",
    fields: { task_id: wanted.creation.id },
  });
}

async function acknowledge(ports: SubmitPorts, seq: number, creation: Creation): Promise<void> {
  if (ports.ack === "published" || (await ports.checkpoints.reached(seq, ports.ackWaitMs))) return;
  throw new Retryable(
    "ACK_UNKNOWN",
    "The task is in the ledger, but Postgres did not confirm it in time. It may run.",
    inDoubt(creation),
  );
}

/** An outcome that stayed unknown is told with the key to repeat with: the caller may not have given one. */
async function inDoubtTell<T>(creation: Creation, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof Retryable) || error.code !== "LEDGER_UNAVAILABLE") throw error;
    throw new Retryable(error.code, error.message, { ...inDoubt(creation), cause: error.cause });
  }
}

function inDoubt(creation: Creation) {
  return {
    hint: "Send the same request again with the Idempotency-Key given here, or look for the task by its id.",
    fields: { task_id: creation.id, idempotency_key: creation.key },
  };
}

async function answer(
  ports: SubmitPorts,
  wanted: NewTask,
  version: TaskVersion,
  repeated: boolean,
): Promise<Created> {
  const key = { tenant: wanted.tenant, task: wanted.creation.id };
  const attempts = await attemptsInLedger(ports.ledger, key, version);
  const artifacts = await artifactsInLedger(ports.ledger, key, version);
  const sinks = await sinkResultsInLedger(ports.ledger, key, version);
  const view = taskFromLedger({ key, state: version.state, spec: wanted.spec, attempts, artifacts, sinks });
  const pending_reason = view.status === "pending" ? ports.pendingReason(view) : null;
  return { task: { ...view, pending_reason, warnings: [...wanted.warnings] }, repeated, seq: version.seq };
}
