import type { TraceContext } from "../../domain/task/taskState.ts";
import type { ExecutionSpec } from "../executionSpec.ts";

/**
 * The spec with its trace in the container's environment, as OpenTelemetry's SDKs and command-line tools read it:
 * `TRACEPARENT`, and `TRACESTATE` where one was given. A spec that sets `TRACEPARENT` itself knows better.
 * Pure.
 */
export function withTraceEnvironment(spec: ExecutionSpec, trace: TraceContext): ExecutionSpec {
  const { traceparent, tracestate } = trace;
  if (traceparent === null || "TRACEPARENT" in spec.environment) return spec;
  const state = tracestate === null || "TRACESTATE" in spec.environment ? {} : { TRACESTATE: tracestate };
  return { ...spec, environment: { ...spec.environment, TRACEPARENT: traceparent, ...state } };
}
