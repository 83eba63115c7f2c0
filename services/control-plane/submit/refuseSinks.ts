import { type Refusal, refuse } from "../../domain/refusal.ts";
import type { OutputSink } from "../../domain/spec/outputSinks.ts";
import type { WorkloadSpec } from "../../domain/spec/workloadSpec.ts";
import { type OutboundPolicy, whyNotTarget } from "../../kernel/outbound/outboundPolicy.ts";
import { downstreamAsWritten, type ReadAndWritten } from "./withDownstream.ts";

export interface SinkRules {
  readonly outbound: OutboundPolicy;
  /** Whether there is a folder for file sinks. */
  readonly files: boolean;
}

/** Tasks that may come one after another, the first not counted: what is far down a chain is nobody's intent. */
const chainMax = 8;

/**
 * Why the output of this spec, or of one that comes after it, cannot go where it says, or null. Only what its text tells:
 * where a name leads is looked at by the sinks role, each time.
 * @param of.written the spec as the caller wrote it: pointers are into this
 * @returns a refusal `SINK_TARGET_NOT_ALLOWED`, `SINK_FILES_OFF` or `SINK_CHAIN_TOO_LONG` with a pointer for each such sink
 */
export function refuseSinks(rules: SinkRules, tenant: string, of: ReadAndWritten): Refusal | null {
  const found = [...faultsOf({ rules, tenant }, of, { at: "", depth: 0 })];
  const [first] = found;
  if (first === undefined) return null;
  const details = found
    .filter((one) => one.code === first.code)
    .map(({ pointer, message }) => ({ pointer, message }));
  return refuse(first.code, `The output cannot go there: ${first.pointer} ${first.message}.`, { details });
}

interface Fault {
  readonly code: "SINK_TARGET_NOT_ALLOWED" | "SINK_FILES_OFF" | "SINK_CHAIN_TOO_LONG";
  readonly pointer: string;
  readonly message: string;
}

function* faultsOf(
  by: { readonly rules: SinkRules; readonly tenant: string },
  { spec, written }: ReadAndWritten,
  { at, depth }: { readonly at: string; readonly depth: number },
): Generator<Fault> {
  for (const [index, sink] of spec.output_sinks.entries()) {
    const place = `${at}/output_sinks/${index}`;
    if (sink.type !== "task") {
      const fault = faultOf(by, sink);
      if (fault !== null) yield { ...fault, pointer: `${place}/${fault.pointer}` };
      continue;
    }
    const { field, part } = downstreamAsWritten(written, index);
    const within = { at: `${place}/${field}`, depth: depth + 1 };
    if (within.depth > chainMax) {
      const message = `would be task ${within.depth} after the first; a chain may have ${chainMax}`;
      yield { code: "SINK_CHAIN_TOO_LONG", pointer: within.at, message };
    } else yield* faultsOf(by, { spec: sink.spec as WorkloadSpec, written: part }, within);
  }
}

/** Its pointer is into the sink. */
function faultOf(
  { rules, tenant }: { readonly rules: SinkRules; readonly tenant: string },
  sink: Exclude<OutputSink, { type: "task" }>,
): Fault | null {
  if (sink.type === "file") {
    const message = "is of type file, and CAZI_SINK_FILES is not set";
    return rules.files ? null : { code: "SINK_FILES_OFF", pointer: "type", message };
  }
  const [field, address] = sink.type === "webhook" ? ["url", sink.url] : ["endpoint", sink.endpoint];
  const message = address === null ? null : whyNotTarget(rules.outbound, tenant, new URL(address));
  return message === null ? null : { code: "SINK_TARGET_NOT_ALLOWED", pointer: field!, message };
}
