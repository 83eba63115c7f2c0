import { isUtf8 } from "node:buffer";
import type { Refusal } from "../../domain/refusal.ts";
import { isRefusal } from "../../domain/refusal.ts";
import { parseSpecText } from "../../domain/spec/parseSpecText.ts";
import { readSpec, type SpecWarning } from "../../domain/spec/readSpec.ts";
import type { WorkloadSpec } from "../../domain/spec/workloadSpec.ts";
import { canonicalSpec } from "../../kernel/canonicalSpec.ts";
import { Rejection } from "../../kernel/errors.ts";

/** A spec that was read and found good. */
export interface AcceptedSpec {
  readonly spec: WorkloadSpec;
  /** The same as the caller wrote it. */
  readonly written: unknown;
  /** Canonical JSON, as it is stored. */
  readonly json: string;
  readonly digest: string;
  readonly warnings: readonly SpecWarning[];
}

/**
 * Reads the body of a submit.
 * @throws Rejection with the code of what is wrong (`SPEC_…`), a pointer for each thing
 */
export function readSpecRequest(body: Uint8Array, format: "json" | "yaml"): AcceptedSpec {
  if (!isUtf8(body)) throw new Rejection("SPEC_SYNTAX", "The spec is not UTF-8 text.");
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("utf8");
  const written = accepted(parseSpecText(text, format));
  const { spec, warnings } = accepted(readSpec(written));
  return { spec, written, ...canonicalSpec(spec), warnings };
}

/** A value, or the refusal of the domain as an error with the same code. */
export function accepted<T>(value: T | Refusal): T {
  if (!isRefusal(value)) return value;
  throw rejectionOf(value);
}

export function rejectionOf(refusal: Refusal): Rejection {
  return new Rejection(refusal.code, refusal.message, {
    ...(refusal.hint === undefined ? {} : { hint: refusal.hint }),
    ...(refusal.details === undefined ? {} : { details: refusal.details }),
  });
}
