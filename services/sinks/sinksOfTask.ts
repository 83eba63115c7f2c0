import { sinkId } from "../domain/sinks/sinkId.ts";
import type { OutputSink } from "../domain/spec/outputSinks.ts";
import type { WorkloadSpec } from "../domain/spec/workloadSpec.ts";
import { isEnded } from "../domain/task/taskState.ts";
import type { TaskKey, TaskLedger } from "../kernel/ledger/taskLedger.ts";
import type { SinkOfTask } from "./attempt.ts";

/** The sinks of a task that is over; none of one that is erased, or that was never run. */
export async function sinksOfTask(
  ledger: Pick<TaskLedger, "load" | "first">,
  key: TaskKey,
): Promise<readonly SinkOfTask[]> {
  const [{ state }, first] = await Promise.all([ledger.load(key), ledger.first(key)]);
  if (!isEnded(state) || state.status === "blocked" || first?.body.type !== "submitted") return [];
  const spec = JSON.parse(first.body.spec) as WorkloadSpec;
  const { name, labels, connections } = spec;
  return spec.output_sinks.map((sink: OutputSink, index) => ({
    ...key,
    id: sinkId(sink, index),
    sink,
    state,
    name,
    labels,
    connections,
  }));
}
