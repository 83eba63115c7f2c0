import { isRefusal, type Refusal, refuse } from "../refusal.ts";
import { inspectInput } from "./inspectInput.ts";
import { detailsMax, specBytesMax } from "./limits.ts";
import type { OutputSink } from "./outputSinks.ts";
import { looksLikeSecretName } from "./secretNames.ts";
import { specProblems } from "./specProblems.ts";
import { substituteTarget } from "./substituteTarget.ts";
import { utf8Bytes } from "./utf8Bytes.ts";
import { type WorkloadSpec, workloadSpecSchema } from "./workloadSpec.ts";

/** Something that is allowed and probably not wanted. */
export interface SpecWarning {
  /** `SECRET_IN_ENVIRONMENT` */
  readonly code: string;
  /** JSON Pointer (RFC 6901) into the spec. */
  readonly pointer: string;
  readonly message: string;
}

type Detail = { readonly pointer: string; readonly message: string };

/** An input of fewer characters cannot make a spec of more than {@link specBytesMax}: JSON escapes one as at most six. */
const CHARS_ALWAYS_SMALL = specBytesMax / 16;

/**
 * Reads a spec: checks everything that can be known without a node, and fills in every default. Reading the
 * result again gives the same spec. Never throws, whatever the input.
 * @returns the spec and its warnings, or a refusal: `SPEC_INVALID` with a pointer for each thing wrong,
 *   `STDIN_WITHOUT_PREVIOUS`, `SPEC_TOO_LARGE`, `SPEC_TOO_DEEP`
 */
export function readSpec(input: unknown): ReadSpec | Refusal {
  const read = readPart(input);
  return isRefusal(read) || !read.spec.stdin_from_prev ? read : withoutPrevious;
}

interface ReadSpec {
  readonly spec: WorkloadSpec;
  readonly warnings: readonly SpecWarning[];
}

const withoutPrevious = refuse(
  "STDIN_WITHOUT_PREVIOUS",
  "The spec says stdin_from_prev: true, and no task is before it.",
  {
    details: [{ pointer: "/stdin_from_prev", message: "is for a task that follows another one" }],
    hint: "Submit it as the spec of a task sink of the task whose output it reads.",
  },
);

/** A spec, or the one of a task that follows another. */
function readPart(input: unknown): ReadSpec | Refusal {
  const inspected = inspectInput(input);
  if (isRefusal(inspected)) return inspected;
  const parsed = workloadSpecSchema.safeParse(withFormatOfScript(input));
  if (!parsed.success) return invalid(specProblems(input, parsed.error.issues));
  const downstream = readDownstream(parsed.data);
  if (isRefusal(downstream)) return downstream;
  const { spec } = downstream;
  if (inspected.chars > CHARS_ALWAYS_SMALL) {
    const bytes = utf8Bytes(JSON.stringify(spec));
    if (bytes > specBytesMax) {
      return refuse(
        "SPEC_TOO_LARGE",
        `A spec may have at most ${specBytesMax} bytes as JSON; this one has ${bytes}.`,
      );
    }
  }
  return { spec, warnings: [...warningsOf(spec), ...downstream.warnings] };
}

/** What a script emits is JSON, line by line, so that is how its output is read unless said otherwise. */
function withFormatOfScript(input: unknown): unknown {
  const given = (input ?? {}) as Readonly<Record<string, unknown>>;
  return isContainer(given) || given.output_format !== undefined
    ? input
    : { ...(input as object), output_format: "ndjson" };
}

/**
 * The same with the specs of downstream tasks read as well, so that what is submitted later is known to be good now.
 * They end: each is a part of this one, whose depth is bounded.
 */
function readDownstream(spec: WorkloadSpec): ReadSpec | Refusal {
  const warnings: SpecWarning[] = [];
  const sinks: OutputSink[] = [];
  for (const [index, sink] of spec.output_sinks.entries()) {
    if (sink.type !== "task") {
      sinks.push(sink);
      continue;
    }
    const { template, target, ...written } = sink;
    const at = `/output_sinks/${index}/${template === undefined ? "spec" : "template"}`;
    const made = template === undefined ? written : substituteTarget(template, target!);
    if (isRefusal(made)) return within(at, made);
    const read = readPart(withStdin(made.spec));
    if (isRefusal(read)) return within(at, read);
    warnings.push(...read.warnings.map((one) => ({ ...one, pointer: at + one.pointer })));
    sinks.push({ ...written, spec: read.spec });
  }
  return { spec: { ...spec, output_sinks: sinks }, warnings };
}

function isContainer({ script, project }: Readonly<Record<string, unknown>>): boolean {
  return script == null && project == null;
}

/** A container that follows a task gets the other's output, unless its spec says that it does not want it. */
function withStdin(spec: unknown): unknown {
  const given = (spec ?? {}) as Readonly<Record<string, unknown>>;
  return isContainer(given) && !("stdin_from_prev" in given) ? { ...given, stdin_from_prev: true } : spec;
}

/** A refusal of a part, told with its place in the whole. */
function within(at: string, refusal: Refusal): Refusal {
  const { code, message, hint, details = [] } = refusal;
  return refuse(code, `In the spec at ${at}: ${message}`, {
    ...(hint === undefined ? {} : { hint }),
    details: details.map((one) => ({ ...one, pointer: at + one.pointer })),
  });
}

function invalid(problems: readonly Detail[]): Refusal {
  const details = distinctPointers(problems);
  const [first] = details;
  const more = details.length > 1 ? ` (and ${details.length - 1} more)` : "";
  return refuse(
    "SPEC_INVALID",
    `The spec is invalid: ${first?.pointer || "the spec"} ${first?.message ?? ""}${more}.`,
    { details: details.slice(0, detailsMax) },
  );
}

/** The first message for a place says it; a second one would only repeat that something is wrong there. */
function distinctPointers(details: readonly Detail[]): readonly Detail[] {
  const seen = new Set<string>();
  return details.filter((one) => !seen.has(one.pointer) && seen.add(one.pointer));
}

function warningsOf(spec: WorkloadSpec): readonly SpecWarning[] {
  const warnings: SpecWarning[] = [];
  for (const name in spec.environment) {
    if (spec.environment[name] === "" || !looksLikeSecretName(name)) continue;
    warnings.push({
      code: "SECRET_IN_ENVIRONMENT",
      pointer: `/environment/${name}`,
      message: `${name} looks like a secret; its value stays in the record, readable by all who may read the task; a connection keeps it out`,
    });
  }
  return warnings;
}
