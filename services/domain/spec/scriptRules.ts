/**
 * What a script may be given, by name: the tools and budgets of the compartment. The compartment has the same tables
 * with what they do; a test holds both together (`test/scripts.int.test.ts`).
 */
import type { z } from "zod";
import { nearestName } from "./nearestName.ts";

/** Every tool that some node can offer. */
export const scriptTools = [
  "echo",
  "fail",
  "slow",
  "readFile",
  "listFiles",
  "writeArtifact",
  "osv.query",
  "npm.metadata",
  "github.issue.read",
  "github.pr.read",
  "github.pr.files.list",
  "github.release.latest.read",
  "github.file.read",
  "github.compare.read",
  "github.commit.read",
  "github.repo.read",
  "github.workflow.run.read",
  "github.workflow.jobs.list",
  "github.check.runs.list",
  "model.call",
  "process",
] as const;

/**
 * What a node registers beside its tools, so that nodes of earlier versions are passed over. No spec names them.
 * `process` as a task of the control plane: `process_image` asks for it.
 */
export const PROCESS_AS_TASK = "process_as_task";
/** `model.call` through the control plane. */
export const MODEL_BY_PLANE = "model_by_plane";
/** Specs with a `project`. */
export const PROJECTS = "projects";

/** Known by name and given by no node, so that a program that asks for one is told at once. */
const NEVER_GIVEN = ["shell", "exec", "spawn"];

/** Smallest and largest value of each budget. */
export const scriptBudgetBounds = {
  timeout_ms: [1, 2_147_483_647],
  tool_timeout_ms: [1, 2_147_483_647],
  max_events: [0, 2_147_483_647],
  max_event_bytes: [2, 16_777_216],
  max_tool_arg_bytes: [2, 16_777_216],
  max_tool_result_bytes: [2, 16_777_216],
  max_state_bytes: [2, 16_777_216],
  max_microtasks: [0, 2_147_483_647],
  max_steps: [1, 2_147_483_647],
  max_heap_mb: [24, 2048],
  max_rss_mb: [96, 65_536],
} as const satisfies Record<string, readonly [number, number]>;
export type ScriptBudget = keyof typeof scriptBudgetBounds;

type Checked<T> = z.core.ParsePayload<T>;

export function knownTools(checked: Checked<readonly string[]>): void {
  for (const [index, name] of checked.value.entries()) {
    const message = toolFault(name);
    if (message !== null)
      checked.issues.push({ code: "custom", message, input: checked.value, path: [index] });
  }
}

function toolFault(name: string): string | null {
  if (scriptTools.some((one) => one === name)) return null;
  if (NEVER_GIVEN.includes(name)) return `no compartment gives ${name}: use the tool process`;
  const near = nearestName(name, scriptTools);
  return near === null
    ? `is no tool; there are ${scriptTools.join(", ")}`
    : `is no tool; did you mean ${near}?`;
}

/** Of credentials: by the name of a granted tool that takes one. */
export function credentialTools(
  checked: Checked<{
    readonly tools: readonly string[];
    readonly credentials: Readonly<Record<string, string>>;
  }>,
): void {
  const { tools, credentials } = checked.value;
  for (const tool of Object.keys(credentials)) {
    const takes = tool.startsWith("github.");
    if (takes && tools.includes(tool)) continue;
    const message = takes ? "is not among the tools" : (NO_CREDENTIAL[tool] ?? "takes no credential");
    checked.issues.push({ code: "custom", message, input: checked.value, path: ["credentials", tool] });
  }
}

const NO_CREDENTIAL: Readonly<Record<string, string>> = {
  "model.call": "takes no credential: the control plane has the key",
};

/** An image that nothing runs in is a mistake. */
export function imageOfProcess(
  checked: Checked<{ readonly tools: readonly string[]; readonly process_image?: string | undefined }>,
): void {
  const { tools, process_image } = checked.value;
  if (process_image === undefined || tools.includes("process")) return;
  const message = "needs process among the tools";
  checked.issues.push({ code: "custom", message, input: checked.value, path: ["process_image"] });
}

/** Parts of a spec that mean something to a container alone, with the value that says nothing. */
const OF_CONTAINERS: Readonly<Record<string, unknown>> = {
  command: [],
  entrypoint: null,
  environment: {},
  workdir: null,
  user: null,
  mounts: [],
  network: "bridge",
  pull_policy: "if_not_present",
  read_only: false,
  stdin_from_prev: false,
};

/** What is given for a container beside a script: refused, for a record must not promise what was not done. */
export function onlyForScripts(checked: Checked<Readonly<Record<string, unknown>>>): void {
  const spec = checked.value;
  if (spec.script === null && spec.project === undefined) return;
  for (const [field, nothing] of Object.entries(OF_CONTAINERS)) {
    if (JSON.stringify(spec[field]) === JSON.stringify(nothing)) continue;
    const message = "means nothing for a script: it has no container";
    checked.issues.push({ code: "custom", message, input: spec, path: [field] });
  }
}
