import { type Refusal, refuse } from "../../domain/refusal.ts";
import type { WorkloadSpec } from "../../domain/spec/workloadSpec.ts";
import { type OutboundPolicy, whyNotTarget } from "../../kernel/outbound/outboundPolicy.ts";

export interface SinkRules {
  readonly outbound: OutboundPolicy;
  /** Whether there is a folder for file sinks. */
  readonly files: boolean;
}

/**
 * Why the output of this spec, or of one that comes after it, cannot go where it says, or null. Only what its text tells:
 * where a name leads is looked at by the sinks role, each time.
 * @returns a refusal `SINK_TARGET_NOT_ALLOWED` or `SINK_FILES_OFF` with a pointer for each such sink
 */
export function refuseSinks(rules: SinkRules, tenant: string, spec: WorkloadSpec): Refusal | null {
  const found = [...faultsOf(rules, tenant, spec.output_sinks, "")];
  const [first] = found;
  if (first === undefined) return null;
  const details = found
    .filter((one) => one.code === first.code)
    .map(({ pointer, message }) => ({ pointer, message }));
  return refuse(first.code, `The output cannot go there: ${first.pointer} ${first.message}.`, { details });
}

interface Fault {
  readonly code: "SINK_TARGET_NOT_ALLOWED" | "SINK_FILES_OFF";
  readonly pointer: string;
  readonly message: string;
}

function* faultsOf(
  rules: SinkRules,
  tenant: string,
  sinks: WorkloadSpec["output_sinks"],
  within: string,
): Generator<Fault> {
  for (const [index, sink] of sinks.entries()) {
    const at = `${within}/output_sinks/${index}`;
    if (sink.type === "task") {
      const spec = sink.spec as WorkloadSpec;
      yield* faultsOf(rules, tenant, spec.output_sinks, `${at}/spec`);
    } else if (sink.type === "file") {
      if (!rules.files)
        yield {
          code: "SINK_FILES_OFF",
          pointer: `${at}/type`,
          message: "is of type file, and CAZI_SINK_FILES is not set",
        };
    } else {
      const [field, address] = sink.type === "webhook" ? ["url", sink.url] : ["endpoint", sink.endpoint];
      const why = address === null ? null : whyNotTarget(rules.outbound, tenant, new URL(address));
      if (why !== null) yield { code: "SINK_TARGET_NOT_ALLOWED", pointer: `${at}/${field}`, message: why };
    }
  }
}
