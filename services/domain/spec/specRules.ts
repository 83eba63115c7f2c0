/**
 * Rules on a spec's fields that a JSON Schema cannot say. Each is a check of the schema library: it pushes an
 * issue with the message for the caller, and the path where it is not the value itself.
 */
import type { z } from "zod";
import { isRefusal, type Refusal } from "../refusal.ts";
import * as limits from "./limits.ts";
import { isWithin, whyForbiddenSource, whyForbiddenTarget } from "./mountPath.ts";
import { exceedsUtf8Bytes, utf8Bytes } from "./utf8Bytes.ts";

type Checked<T> = z.core.ParsePayload<T>;

/** Control characters, line separators, and the marks that turn the direction of text (a list would lie). */
const NOT_ONE_LINE = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
/** Control characters but tab and line breaks. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is its purpose
const NOT_TEXT = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/;

function fault<T>(checked: Checked<T>, message: string, path?: PropertyKey[]): void {
  checked.issues.push({ code: "custom", message, input: checked.value, ...(path ? { path } : {}) });
}

/** The value is what `parse` accepts. */
export function valid(parse: (text: string) => unknown | Refusal) {
  return (checked: Checked<string>) => {
    const parsed = parse(checked.value);
    if (isRefusal(parsed)) fault(checked, parsed.message);
  };
}

export function argumentSize(checked: Checked<string>): void {
  if (exceedsUtf8Bytes(checked.value, limits.argumentBytesMax)) {
    fault(checked, `must have at most ${limits.argumentBytesMax} bytes`);
  }
}

export function oneLine(checked: Checked<string>): void {
  if (NOT_ONE_LINE.test(checked.value)) fault(checked, "must be one line without control characters");
}

export function rationaleText(checked: Checked<string>): void {
  if (exceedsUtf8Bytes(checked.value, limits.rationaleBytesMax)) {
    fault(checked, `must have at most ${limits.rationaleBytesMax} bytes`);
  }
  if (NOT_TEXT.test(checked.value))
    fault(checked, "must have no control characters but tabs and line breaks");
}

export function plainPath(checked: Checked<string>): void {
  if (NOT_ONE_LINE.test(checked.value)) fault(checked, "must have no control characters");
  // An engine's bind syntax parts source, target and mode by colons.
  if (checked.value.includes(":")) fault(checked, "must have no colon");
}

export function allowedSource(checked: Checked<string>): void {
  const why = whyForbiddenSource(checked.value);
  if (why !== null) fault(checked, `cannot be mounted: ${why}`);
}

export function allowedTarget(checked: Checked<string>): void {
  const why = whyForbiddenTarget(checked.value);
  if (why !== null) fault(checked, `cannot be a target: ${why}`);
}

/** A working directory of /proc/self/fd/N led out of the container (CVE-2024-21626). */
export function allowedWorkdir(checked: Checked<string>): void {
  const inside = ["/proc", "/sys", "/dev"].find((root) => isWithin(checked.value, root));
  if (inside !== undefined) fault(checked, `must not be in ${inside}`);
}

/** The mounts' paths are normalised by now, so two spellings of one target are found. */
export function distinctTargets(checked: Checked<readonly { readonly target: string }[]>): void {
  const seen = new Set<string>();
  for (const [index, one] of checked.value.entries()) {
    if (seen.has(one.target)) fault(checked, "is the target of an earlier mount too", [index, "target"]);
    seen.add(one.target);
  }
}

export function distinct(checked: Checked<readonly string[]>): void {
  const seen = new Set<string>();
  for (const [index, item] of checked.value.entries()) {
    if (seen.has(item)) fault(checked, "is given twice", [index]);
    seen.add(item);
  }
}

export function countOfNames(max: number) {
  return (checked: Checked<Readonly<Record<string, unknown>>>) => {
    const count = Object.keys(checked.value).length;
    if (count > max) fault(checked, `must have at most ${max} names, not ${count}`);
  };
}

export function environmentSize(checked: Checked<Readonly<Record<string, string>>>): void {
  const pairs = Object.entries(checked.value);
  if (pairs.length > limits.environmentNamesMax) {
    fault(checked, `must have at most ${limits.environmentNamesMax} names, not ${pairs.length}`);
  }
  const bytes = pairs.reduce((sum, [name, value]) => sum + utf8Bytes(name) + utf8Bytes(value), 0);
  if (bytes > limits.environmentBytesMax) {
    fault(checked, `must have at most ${limits.environmentBytesMax} bytes in all, not ${bytes}`);
  }
}

export function notReserved(checked: Checked<string>): void {
  if (checked.value.startsWith("CAZI_"))
    fault(checked, "is reserved: names beginning with CAZI_ are set by Cazi");
}

/** `host` would share the node's own network; `default` is another word for bridge, and one word is enough. */
export function isolatedNetwork(checked: Checked<string>): void {
  if (checked.value === "host") fault(checked, "cannot be the host's network");
  if (checked.value === "default") fault(checked, 'must be written "bridge"');
}

/** One of the three, and no other. */
export function oneOfWhat(
  checked: Checked<{ readonly image: string | null; readonly script: unknown; readonly project?: unknown }>,
): void {
  const { image, script, project = null } = checked.value;
  if (image === null && script === null && project === null)
    fault(checked, "is missing: say which image or script to run", ["image"]);
  if (image !== null && script !== null) fault(checked, "cannot be given beside image", ["script"]);
  if (project !== null && (image !== null || script !== null))
    fault(checked, `cannot be given beside ${image === null ? "script" : "image"}`, ["project"]);
}

/** -0 is written as 0 in the record, so it is 0 from the start. */
export function withoutNegativeZero(value: number): number {
  return value + 0;
}
