import type { WorkloadSpec } from "../../domain/spec/workloadSpec.ts";

/** A spec as it was read, and as the caller wrote it: pointers are into that. */
export interface ReadAndWritten {
  readonly spec: WorkloadSpec;
  readonly written: unknown;
}

/** A spec and where in the request it is: a JSON pointer, empty for the whole. */
export interface PlacedSpec extends ReadAndWritten {
  readonly at: string;
}

/** A spec and all that come after it, each before its own. Pure. */
export function* withDownstream(of: ReadAndWritten, at = ""): Generator<PlacedSpec> {
  yield { ...of, at };
  for (const [index, sink] of of.spec.output_sinks.entries()) {
    if (sink.type !== "task") continue;
    const { field, part } = downstreamAsWritten(of.written, index);
    const next = { spec: sink.spec as WorkloadSpec, written: part };
    yield* withDownstream(next, `${at}/output_sinks/${index}/${field}`);
  }
}

/** The field in which the caller wrote the spec of a task sink, and what is in it. What was read holds `spec` for both. */
export function downstreamAsWritten(written: unknown, index: number) {
  const { output_sinks } = (written ?? {}) as { readonly output_sinks?: readonly unknown[] };
  const sink = (output_sinks?.[index] ?? {}) as { readonly spec?: unknown; readonly template?: unknown };
  return sink.template === undefined
    ? ({ field: "spec", part: sink.spec } as const)
    : ({ field: "template", part: sink.template } as const);
}
