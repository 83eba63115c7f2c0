import { isRefusal } from "../../domain/refusal.ts";
import type { OutputSink } from "../../domain/spec/outputSinks.ts";
import type { WorkloadSpec } from "../../domain/spec/workloadSpec.ts";
import { limitsOf } from "../../domain/task/limitsOf.ts";
import { canonicalSpec } from "../../kernel/canonicalSpec.ts";
import { CaziError } from "../../kernel/errors.ts";
import { derivedId, newId } from "../../kernel/ids.ts";
import type { TaskKey, TaskLedger } from "../../kernel/ledger/taskLedger.ts";
import type { SinkOfTask } from "../attempt.ts";
import { delivered, failed, type Outcome } from "../outcome.ts";

/**
 * What a submit by anybody has to pass as well: the tenant's limits, room in the storage, connections
 * that are there, mounts that a node offers.
 * @returns what is called where the task will not be there
 * @throws Rejection for what no waiting mends; Retryable, with `retry_after_ms` where it is known when to come again
 */
export type AdmitDownstream = (of: TaskKey & { readonly spec: WorkloadSpec }) => Promise<() => void>;

export interface DownstreamPorts {
  readonly ledger: Pick<TaskLedger, "execute" | "load">;
  readonly admitDownstream: AdmitDownstream;
  readonly now: () => number;
}

/**
 * Submits the task that comes after another one, exactly once: its id follows from the parent and the sink, and the
 * compare-and-set is the dedupe. Chains end: each spec is a part of the one before it.
 */
export async function submitDownstream(
  ports: DownstreamPorts,
  of: SinkOfTask,
  sink: Extract<OutputSink, { type: "task" }>,
): Promise<Outcome> {
  // It was read with the spec that it is a part of, so it is whole.
  const spec = sink.spec as WorkloadSpec;
  const key = { tenant: of.tenant, task: derivedId(of.tenant, of.task, of.id, "downstream") };
  const there = delivered(`task:${key.task}`);
  let notThere: () => void;
  try {
    notThere = await ports.admitDownstream({ ...key, spec });
  } catch (error) {
    // It may be the very one that an earlier try submitted, and that fills the limit.
    return (await isThere(ports, key)) ? there : notAdmitted(error);
  }
  const done = await ports.ledger.execute(key, submitCommand(of, spec, ports.now())).catch((error) => {
    notThere();
    throw error;
  });
  if (!isRefusal(done)) return there;
  notThere();
  // It was submitted before; one that has run and been erased since was there as well.
  if (done.code === "TASK_EXISTS" || done.code === "TASK_ERASED") return there;
  return failed(done.message, { final: true });
}

function submitCommand(of: SinkOfTask, spec: WorkloadSpec, now: number) {
  const { state } = of;
  const { json, digest } = canonicalSpec(spec);
  return {
    kind: "submit",
    id: newId(now),
    at: now,
    spec: json,
    spec_digest: digest,
    request_hash: `sink:${of.task}`,
    source: `sink:${of.task}:${of.id}`,
    who: {
      actor: `task:${of.task}`,
      accountable: state.who.accountable ?? state.who.actor,
      route: "sink",
    },
    limits: limitsOf(spec),
    image: null,
    blocked: null,
    traceparent: state.traceparent,
    tracestate: state.tracestate,
  } as const;
}

async function isThere(ports: Pick<DownstreamPorts, "ledger">, key: TaskKey): Promise<boolean> {
  return (await ports.ledger.load(key)).state.status !== "absent";
}

/** @throws what is no answer of a check */
function notAdmitted(error: unknown): Outcome {
  if (!(error instanceof CaziError)) throw error;
  const { retry_after_ms: after } = error.fields;
  const message = `${error.code}: ${error.message.replace(/\.$/, "")}`;
  return failed(message, {
    final: error.family !== "retryable",
    retryAfterMs: typeof after === "number" ? after : null,
    held: error.code === "QUOTA_EXCEEDED" || error.code === "QUOTA_UNKNOWN",
  });
}
