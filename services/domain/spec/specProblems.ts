/** Turns the issues of the schema library into details that a caller can act on. */
import type { z } from "zod";
import { pointerTo } from "./jsonPointer.ts";
import { detailsMax } from "./limits.ts";
import { nearestName } from "./nearestName.ts";
import { fieldsAt } from "./workloadSpec.ts";

type Detail = { readonly pointer: string; readonly message: string };
type Issue = z.core.$ZodIssue;

/** Names that other tools use for the same thing and that no edit distance finds. */
const OTHER_TOOLS_NAMES: Readonly<Record<string, string>> = {
  args: "command",
  argv: "command",
  cmd: "command",
  cpu: "resources.cpus",
  cpus: "resources.cpus",
  cwd: "workdir",
  description: "rationale",
  env: "environment",
  memory: "resources.memory",
  nodeselector: "selector",
  pids: "resources.pids",
  reason: "rationale",
  retries: "max_retries",
  timeout: "timeout_seconds",
  tmpfs: "resources.tmpfs",
  ttl: "ttl_seconds",
  volumes: "mounts",
  working_dir: "workdir",
};

/** One detail for each thing wrong with `input`; at most {@link detailsMax}, because finding a near name takes time. */
export function specProblems(input: unknown, issues: readonly Issue[]): readonly Detail[] {
  const details: Detail[] = [];
  for (const issue of issues) {
    if (details.length >= detailsMax) break;
    if (issue.code === "unrecognized_keys") {
      const keys = issue.keys.slice(0, detailsMax - details.length);
      details.push(...keys.map((key) => unknownField(issue.path, key)));
    } else {
      details.push({ pointer: pointerTo(issue.path), message: describe(issue, valueAt(input, issue.path)) });
    }
  }
  return details;
}

function unknownField(path: readonly PropertyKey[], key: string): Detail {
  const known = fieldsAt(path);
  const other = path.length === 0 ? OTHER_TOOLS_NAMES[key.toLowerCase()] : undefined;
  const nearest = other ?? nearestName(key, known);
  return {
    pointer: pointerTo([...path, key]),
    message:
      nearest === null
        ? `is not a known field; known are ${known.join(", ")}`
        : `is not a known field; did you mean ${nearest}?`,
  };
}

function describe(issue: Issue, value: unknown): string {
  switch (issue.code) {
    case "invalid_type":
      return wrongType(issue, value);
    case "too_small":
      return bound("at least", issue.minimum, issue.origin);
    case "too_big":
      return bound("at most", issue.maximum, issue.origin);
    case "invalid_value":
      return `must be one of ${issue.values.map((one) => JSON.stringify(one)).join(", ")}`;
    case "invalid_key":
      return `as a name ${issue.issues.map((one) => describe(one as Issue, undefined)).join("; ")}`;
    default:
      return issue.message;
  }
}

function bound(word: "at least" | "at most", limit: number | bigint, origin: string): string {
  if (origin === "string") return `must have ${word} ${limit} characters`;
  if (origin === "array") return `must have ${word} ${limit} items`;
  return `must be ${word} ${limit}`;
}

const WORDS: Readonly<Record<string, string>> = {
  array: "a list",
  boolean: "true or false",
  int: "a whole number",
  number: "a number",
  object: "a map",
  record: "a map",
  string: "text",
};

function wrongType(issue: z.core.$ZodIssueInvalidType, value: unknown): string {
  // A schema's own words, where it has some, know more than the type.
  if (!issue.message.startsWith("Invalid input")) return issue.message;
  if (value === undefined) return "is missing";
  const wanted = WORDS[issue.expected] ?? issue.expected;
  const isBare = issue.expected === "string" && (typeof value === "number" || typeof value === "boolean");
  const advice = isBare ? `; write it in quotes, "${value}"` : "";
  return `must be ${wanted}, not ${typeName(value)}${advice}`;
}

function typeName(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "a map";
  if (typeof value === "string") return "text";
  if (typeof value === "number") return Number.isInteger(value) ? "a number" : "a fraction";
  return typeof value === "boolean" ? "true or false" : typeof value;
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const part of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Readonly<Record<PropertyKey, unknown>>)[part];
  }
  return value;
}
