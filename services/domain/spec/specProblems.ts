/** Turns the issues of the schema library into details that a caller can act on. */
import type { z } from "zod";
import { pointerTo, valueAt } from "./jsonPointer.ts";
import { detailsMax } from "./limits.ts";
import { nearestName } from "./nearestName.ts";
import { plainSentence } from "./plainSentence.ts";
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
      details.push(...keys.map((key) => unknownField(issue.path, key, input)));
    } else {
      details.push({
        pointer: pointerTo(issue.path),
        message: plainSentence(issue, valueAt(input, issue.path)),
      });
    }
  }
  return details;
}

function unknownField(path: readonly PropertyKey[], key: string, input: unknown): Detail {
  const known = fieldsAt(path, valueAt(input, path));
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
