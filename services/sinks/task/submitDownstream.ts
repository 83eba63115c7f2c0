import { isRefusal } from "../../domain/refusal.ts";
import type { OutputSink } from "../../domain/spec/outputSinks.ts";
import type { WorkloadSpec } from "../../domain/spec/workloadSpec.ts";
import { limitsOf } from "../../domain/task/limitsOf.ts";
import { canonicalSpec } from "../../kernel/canonicalSpec.ts";
import { derivedId, newId } from "../../kernel/ids.ts";
import type { TaskLedger } from "../../kernel/ledger/taskLedger.ts";
import type { SinkOfTask } from "../attempt.ts";
import { delivered, failed, type Outcome } from "../outcome.ts";

/**
 * Submits the task that comes after another one, exactly once: its id follows from the parent and the sink, and the
 * compare-and-set is the dedupe. Chains end: each spec is a part of the one before it.
 */
export async function submitDownstream(
  ports: { readonly ledger: Pick<TaskLedger, "execute">; readonly now: () => number },
  of: SinkOfTask,
  sink: Extract<OutputSink, { type: "task" }>,
): Promise<Outcome> {
  const { tenant, state } = of;
  // It was read with the spec that it is a part of, so it is whole.
  const spec = sink.spec as WorkloadSpec;
  const { json, digest } = canonicalSpec(spec);
  const task = derivedId(tenant, of.task, of.id, "downstream");
  const now = ports.now();
  const done = await ports.ledger.execute(
    { tenant, task },
    {
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
        route: "internal",
      },
      limits: limitsOf(spec),
      image: null,
      blocked: null,
      traceparent: state.traceparent,
      tracestate: state.tracestate,
    },
  );
  // It was submitted before; one that has run and been erased since was there as well.
  if (!isRefusal(done) || done.code === "TASK_EXISTS" || done.code === "TASK_ERASED")
    return delivered(`task:${task}`);
  return failed(done.message, { final: true });
}
