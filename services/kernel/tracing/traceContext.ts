/** W3C Trace Context (https://www.w3.org/TR/trace-context/), as far as Cazi passes it on. Pure. */
import type { TraceContext } from "../../domain/task/taskState.ts";

const VERSION_00 = /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;
/** A later version may have more after its flags; what version 00 has keeps its place. */
const LATER = /^(?!ff)[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?$/;
const NO_TRACE = "0".repeat(32);
const NO_SPAN = "0".repeat(16);

/** What a `tracestate` may have: the list's own bounds of the recommendation. */
const MEMBERS_MAX = 32;
const STATE_CHARS_MAX = 512;
const MEMBER =
  /^[a-z0-9][a-z0-9_*/@-]{0,255}=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;

const NONE: TraceContext = { traceparent: null, tracestate: null };

/**
 * The context in a request's headers; none where `traceparent` is missing or malformed, as the recommendation
 * wants it: a bad one is ignored, never an error. A later version is read as far as version 00 goes.
 */
export function traceContextOf(headers: Readonly<Record<string, unknown>>): TraceContext {
  const traceparent = validTraceparent(headers.traceparent);
  return traceparent === null ? NONE : { traceparent, tracestate: validTracestate(headers.tracestate) };
}

/** @returns the same in version 00, or null when it is none */
export function validTraceparent(value: unknown): string | null {
  if (typeof value !== "string") return null;
  const known = VERSION_00.test(value);
  if (!known && (value.startsWith("00") || !LATER.test(value))) return null;
  const [, trace, span, flags] = value.split("-") as [string, string, string, string];
  if (trace === NO_TRACE || span === NO_SPAN) return null;
  return known ? value : `00-${trace}-${span}-${flags}`;
}

function validTracestate(value: unknown): string | null {
  if (typeof value !== "string") return null;
  const members = value
    .split(",")
    .map((member) => member.trim())
    .filter((member) => member !== "");
  const keys = new Set(members.map((member) => member.slice(0, member.indexOf("="))));
  const isValid = members.every((member) => MEMBER.test(member)) && keys.size === members.length;
  const text = members.join(",");
  return isValid && text !== "" && members.length <= MEMBERS_MAX && text.length <= STATE_CHARS_MAX
    ? text
    : null;
}

/**
 * A new trace, marked as one that may be recorded: a program that traces then does as it would without a parent.
 * @param randomBytes gives so many
 */
export function newTraceparent(randomBytes: (count: number) => Uint8Array): string {
  // All zeros would be no id; 24 zero bytes in a row are a broken source, not chance.
  const hex = Buffer.from(randomBytes(24)).toString("hex");
  return `00-${hex.slice(0, 32)}-${hex.slice(32)}-01`;
}

/** The trace's own id, 32 hexadecimal digits. */
export function traceIdOf(traceparent: string): string {
  return traceparent.slice(3, 35);
}
