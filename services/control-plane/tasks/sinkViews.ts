import type { SinkView } from "../../../schemas/api/sink.ts";
import { toTimestamp } from "../../../schemas/api/timestamp.ts";
import { sinkId } from "../../domain/sinks/sinkId.ts";
import { notDue, type SinkResult, sinkResults } from "../../domain/sinks/sinkResults.ts";
import type { WorkloadSpec } from "../../domain/spec/workloadSpec.ts";
import type { TaskKey, TaskLedger, TaskVersion } from "../../kernel/ledger/taskLedger.ts";
import { sinkEventsMax } from "../limits.ts";

/** A task's sinks in the order of its spec; old specs have none. */
export function sinkViews(
  spec: Partial<Pick<WorkloadSpec, "output_sinks">>,
  results: ReadonlyMap<string, SinkResult>,
): SinkView[] {
  return (spec.output_sinks ?? []).map((sink, index) => {
    const id = sinkId(sink, index);
    const result = results.get(id);
    return {
      id,
      type: sink.type,
      status: statusOf(result),
      tries: result?.tries ?? null,
      message: result?.message ?? null,
      receipt: result === undefined || result.receipt === notDue ? null : result.receipt,
      settled_at: result === undefined ? null : toTimestamp(result.at),
    };
  });
}

function statusOf(result: SinkResult | undefined): SinkView["status"] {
  if (result === undefined) return "waiting";
  if (!result.delivered) return "failed";
  return result.receipt === notDue ? "skipped" : "delivered";
}

/** The results as the task's events tell them; a task without any costs no further read. */
export async function sinkResultsInLedger(
  ledger: Pick<TaskLedger, "history">,
  key: TaskKey,
  { state, seq }: TaskVersion,
): Promise<ReadonlyMap<string, SinkResult>> {
  if (!("settled_sinks" in state) || state.settled_sinks.length === 0) return new Map();
  const events = await ledger.history(key, sinkEventsMax);
  return sinkResults(events.filter((one) => one.seq <= seq).map(({ event }) => event));
}
