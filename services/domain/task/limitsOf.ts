import type { WorkloadSpec } from "../spec/workloadSpec.ts";
import type { TaskLimits } from "./taskState.ts";

/** The part of a spec that decisions need, in their units. */
export function limitsOf(
  spec: Pick<
    WorkloadSpec,
    "timeout_seconds" | "max_retries" | "ttl_seconds" | "start_within_seconds" | "output_sinks"
  >,
): TaskLimits {
  const ms = (seconds: number | null) => (seconds === null ? null : seconds * 1000);
  return {
    timeout_ms: spec.timeout_seconds * 1000,
    max_retries: spec.max_retries,
    ttl_ms: ms(spec.ttl_seconds),
    start_within_ms: ms(spec.start_within_seconds),
    sinks: spec.output_sinks.length,
  };
}
