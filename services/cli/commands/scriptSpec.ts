/** A spec with a script, from files of this machine: a program and what it is given, or a whole agent project. */
import { basename, isAbsolute, join, normalize } from "node:path";
import { loadPolicy } from "../../compartment/cli/resolveConfig.ts";
import { POLICY_FILE_NAME } from "../../compartment/policy/policyFile.ts";
import { readSource } from "../../compartment/policy/readSource.ts";
import { readSnapshot } from "../../compartment/tools/readSnapshot.ts";
import type { SpecText } from "../../kernel/client/apiClient.ts";
import { Rejection } from "../../kernel/errors.ts";

export interface ScriptOptions {
  readonly script?: string;
  readonly project?: string;
  readonly tool?: readonly string[];
  /** What commands of the tool `process` run in, as tasks. */
  readonly processImage?: string;
  readonly budget?: readonly string[];
  readonly contextJson?: string;
  readonly fsRead?: readonly string[];
  readonly timeout?: number;
}

/** Keys of a policy that have a place in a spec. */
const CARRIED = new Set([
  "schema_version",
  "profile",
  "agent",
  "budgets",
  "tools",
  "context",
  "modules",
  "fs_read",
  "fs_read_include",
  "fs_read_exclude",
  "redact_fields",
  "audit_log",
  "run_id",
  "worker",
  "fs_write",
]);

/**
 * @throws Rejection `USAGE`, `FILE_UNREADABLE`, and those of the compartment for its files and policy
 */
export function scriptSpec(options: ScriptOptions): SpecText {
  const script = options.project === undefined ? ofFile(options) : ofProject(options.project);
  const given = {
    ...script,
    tools: [...new Set([...script.tools, ...(options.tool ?? [])])],
    ...(options.processImage === undefined ? {} : { process_image: options.processImage }),
    budgets: { ...script.budgets, ...budgetsOf(options.budget ?? []) },
    context: options.contextJson === undefined ? script.context : jsonObject(options.contextJson),
    files: { ...script.files, ...filesOf({ roots: options.fsRead ?? [] }) },
  };
  const timeout = options.timeout === undefined ? {} : { timeout_seconds: options.timeout };
  return { text: JSON.stringify({ script: given, ...timeout }), mediaType: "application/json" };
}

interface Script {
  readonly source: string;
  readonly modules: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, string>>;
  readonly context: object;
  readonly tools: readonly string[];
  readonly budgets: Readonly<Record<string, unknown>>;
  readonly redact_fields: readonly string[];
}

function ofFile({ script }: ScriptOptions): Script {
  const source = readSource(script!).text;
  return { source, modules: {}, files: {}, context: {}, tools: [], budgets: {}, redact_fields: [] };
}

function ofProject(folder: string): Script {
  const path = join(folder, POLICY_FILE_NAME);
  const { settings } = loadPolicy(path);
  const stays = Object.entries(settings.values).find(
    ([key, value]) => !CARRIED.has(key) && !isEmpty(value),
  )?.[0];
  if (stays !== undefined || settings.agent === null) {
    throw new Rejection(
      "USAGE",
      `${path}: ${stays ?? "a project without an agent file"} cannot go to a node.`,
      {
        hint: "Run it here with `cazi agent run`, or write a spec: docs/scripts.md.",
      },
    );
  }
  const values = settings.values as Record<string, never>;
  const {
    modules = {},
    fs_read = [],
    fs_read_include = [],
    fs_read_exclude = [],
  } = values as {
    modules?: Record<string, { path: string }>;
    fs_read?: { name: string; path: string }[];
    fs_read_include?: string[];
    fs_read_exclude?: string[];
  };
  return {
    source: readSource(settings.agent.path).text,
    modules: Object.fromEntries(
      Object.entries(modules).map(([name, at]) => [name, readSource(at.path).text]),
    ),
    files: filesOf({ named: fs_read, include: fs_read_include, exclude: fs_read_exclude }),
    context: values.context ?? {},
    tools: values.tools ?? [],
    budgets: Object.fromEntries(
      Object.entries(settings.budgets).filter(([name]) => !LOCAL_BUDGETS.has(name)),
    ),
    redact_fields: values.redact_fields ?? [],
  };
}

/** Of commands and jobs, which have no place in a task's script. */
const LOCAL_BUDGETS = new Set(["process_output_stream_chunk_bytes", "max_scheduler_turns"]);

function isEmpty(value: unknown): boolean {
  return (
    value === null || value === false || JSON.stringify(value) === "[]" || JSON.stringify(value) === "{}"
  );
}

/** What `readFile` would show of these files and folders, by the names that it has there. */
function filesOf(of: {
  readonly roots?: readonly string[];
  readonly named?: readonly { readonly name: string; readonly path: string }[];
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
}): Record<string, string> {
  const roots = of.named ?? (of.roots ?? []).map((path) => ({ name: nameOf(path), path }));
  const snapshot = readSnapshot({ roots, include: of.include ?? [], exclude: of.exclude ?? [] });
  const files: Record<string, string> = {};
  for (const { path, content, reason } of snapshot.values()) {
    if (content === null) throw new Rejection("FILE_UNREADABLE", `${path} cannot be sent: ${reason}.`);
    files[path] = content;
  }
  return files;
}

/** As it stands below the working folder; of something elsewhere the last part, for a program knows no such place. */
function nameOf(path: string): string {
  const plain = normalize(path);
  return isAbsolute(plain) || plain.startsWith("..") ? basename(plain) : plain;
}

function budgetsOf(given: readonly string[]): Record<string, number> {
  return Object.fromEntries(
    given.map((one) => {
      const [, name, value] = /^([a-z_]+)=(\d{1,10})$/.exec(one.replaceAll("-", "_")) ?? [];
      if (name === undefined) throw new Rejection("USAGE", `--budget ${one} is not name=number.`);
      return [name, Number(value)];
    }),
  );
}

function jsonObject(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  } catch {}
  throw new Rejection("USAGE", "--context-json is not a JSON object.");
}
