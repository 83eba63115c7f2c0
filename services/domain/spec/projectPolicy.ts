/**
 * The policy of a project that a task runs: `agent-policy.json` as `cazi agent` reads it, less what has no place on a node. The
 * compartment has the table of all keys; a test holds both together (`test/projects.int.test.ts`).
 */
import { z } from "zod";
import { isRefusal } from "../refusal.ts";
import { pointerTo, valueAt } from "./jsonPointer.ts";
import { nearestName } from "./nearestName.ts";
import { parseSpecText } from "./parseSpecText.ts";
import { plainSentence } from "./plainSentence.ts";
import { isFolderOf, projectPath } from "./projectPath.ts";
import { budgets, toolList, variable } from "./scriptGrants.ts";

/** Where the policy stands among the files of a project. */
export const PROJECT_POLICY = "agent-policy.json";

/** Keys of approvals, jobs, caches and of the programs of a machine. */
export const NOT_ON_NODES = [
  "approval_required_tools",
  "approved_tools",
  "approval_log",
  "approval_max_age_ms",
  "session_file",
  "process_commands",
  "process_cwd",
  "process_env",
  "named_network_cache_dir",
  "named_network_cache_mode",
  "named_network_cache_max_age_ms",
  "named_network_cache_max_entries",
] as const;

/** Budgets of commands and jobs: they bound nothing of a task. */
const LOCAL_BUDGETS = ["process_output_stream_chunk_bytes", "max_scheduler_turns"];

const texts = z.array(z.string().min(1)).default([]);
const textsByName = z.record(z.string(), z.string().min(1)).default({});
const path = z.string().refine((written) => projectPath(written) !== null, {
  error: "must be a path inside the project",
});
const pathsByName = z.record(z.string(), path).default({});

export const projectPolicySchema = z.strictObject({
  schema_version: z.literal(1),
  profile: z.string().optional(),
  agent: path.optional(),
  entry_module: z.string().min(1).optional(),
  tools: toolList,
  context: z.record(z.string(), z.unknown()).optional(),
  state: z.record(z.string(), z.unknown()).optional(),
  budgets: budgets.prefault({}),
  modules: pathsByName,
  packages: pathsByName,
  package_integrity: textsByName,
  import_hooks: pathsByName,
  import_hook_integrity: textsByName,
  fs_read: z.array(path).default([]),
  fs_read_include: texts,
  fs_read_exclude: texts,
  fs_write: path.optional(),
  osv_fixture: path.optional(),
  model_fixture: path.optional(),
  expected_events: pathsByName,
  redact_fields: texts,
  named_network_retry_attempts: z.number().int().min(0).max(3).optional(),
  secrets: z.record(z.string(), variable).default({}),
  github_token_env: variable.optional(),
  // A node asks the control plane, which has a key of its own.
  model_provider: z.string().optional(),
  model_api_key_env: z.string().optional(),
  // The task's own stand in their place.
  audit_log: z.string().optional(),
  run_id: z.string().optional(),
  worker: z.boolean().optional(),
});
export type ProjectPolicy = z.output<typeof projectPolicySchema>;

type Files = Readonly<Record<string, string>>;

/**
 * Reads the policy among the files of a project, and looks that every file it names is there.
 * @returns the policy, or what is wrong with it: a sentence for each thing, at most {@link FAULTS_MAX}
 */
export function readProjectPolicy(files: Files): ProjectPolicy | readonly string[] {
  const text = files[PROJECT_POLICY];
  if (text === undefined) return ["is missing: it says which file is the program, and what that may do"];
  const document = parseSpecText(text, "json");
  if (isRefusal(document)) return [`cannot be read: ${document.message}`];
  const { kept, faults } = withoutLocal(document);
  const parsed = projectPolicySchema.safeParse(kept);
  const wrong = parsed.success
    ? filesNotThere(parsed.data, files)
    : parsed.error.issues.flatMap((issue) => sentencesOf(issue, kept));
  const all = [...faults, ...wrong];
  return all.length === 0 && parsed.success ? parsed.data : all.slice(0, FAULTS_MAX);
}

const FAULTS_MAX = 10;

export function isFaulty(read: ProjectPolicy | readonly string[]): read is readonly string[] {
  return Array.isArray(read);
}

/** Without what says nothing, and without what a node has no use for; what would mean something is a fault. */
function withoutLocal(document: unknown): { readonly kept: unknown; readonly faults: readonly string[] } {
  if (typeof document !== "object" || document === null || Array.isArray(document))
    return { kept: document, faults: [] };
  const kept: Record<string, unknown> = { ...document };
  const faults: string[] = [];
  for (const key of NOT_ON_NODES) {
    if (!saysNothing(kept[key])) faults.push(`/${key} has no place on a node`);
    delete kept[key];
  }
  const given = kept.budgets;
  if (typeof given === "object" && given !== null && !Array.isArray(given))
    kept.budgets = Object.fromEntries(
      Object.entries(given).filter(([name]) => !LOCAL_BUDGETS.includes(name)),
    );
  return { kept, faults };
}

function saysNothing(value: unknown): boolean {
  return value == null || value === false || ["[]", "{}"].includes(JSON.stringify(value));
}

function sentencesOf(issue: z.core.$ZodIssue, document: unknown): string[] {
  const at = pointerTo(issue.path);
  if (issue.code !== "unrecognized_keys")
    return [`${at || "it"} ${plainSentence(issue, valueAt(document, issue.path))}`];
  return issue.keys.map((key) => {
    const near = issue.path.length === 0 ? nearestName(key, Object.keys(projectPolicySchema.shape)) : null;
    return `${pointerTo([...issue.path, key])} is not known${near === null ? "" : `; did you mean ${near}?`}`;
  });
}

/** What the policy names and the project does not hold, and what of it contradicts itself. */
function filesNotThere(policy: ProjectPolicy, files: Files): string[] {
  const faults: string[] = [];
  const need = (pointer: string, written: string | undefined, folderToo: boolean) => {
    const at = written === undefined ? null : projectPath(written);
    if (at === null || Object.hasOwn(files, at) || (folderToo && isFolderOf(files, at))) return;
    faults.push(`${pointer} names ${at}, which is not among the files`);
  };
  if ((policy.agent === undefined) === (policy.entry_module === undefined))
    faults.push("/agent or /entry_module, and one of them alone, says which file is the program");
  need("/agent", policy.agent, false);
  need("/osv_fixture", policy.osv_fixture, false);
  need("/model_fixture", policy.model_fixture, false);
  for (const [index, one] of policy.fs_read.entries()) need(`/fs_read/${index}`, one, true);
  for (const key of ["modules", "import_hooks", "expected_events"] as const)
    for (const [name, one] of Object.entries(policy[key])) need(`/${key}${pointerTo([name])}`, one, false);
  for (const [name, one] of Object.entries(policy.packages)) {
    const isOne = Object.hasOwn(files, projectPath(one) ?? "");
    need(`/packages${pointerTo([name])}`, isOne ? one : `${one}/package.json`, false);
  }
  return [...faults, ...pinsMissing(policy), ...ungranted(policy)];
}

function pinsMissing(policy: ProjectPolicy): string[] {
  const pairs = [
    ["packages", "package_integrity"],
    ["import_hooks", "import_hook_integrity"],
  ] as const;
  return pairs.flatMap(([key, pin]) =>
    Object.keys(policy[key])
      .filter((name) => !Object.hasOwn(policy[pin], name))
      .map((name) => `/${pin}${pointerTo([name])} is missing: a package or hook is pinned by its hash`),
  );
}

function ungranted({ secrets, tools }: ProjectPolicy): string[] {
  return Object.keys(secrets)
    .filter((tool) => !tools.some((one) => one === tool))
    .map((tool) => `/secrets${pointerTo([tool])} is for a tool that is not granted`);
}
