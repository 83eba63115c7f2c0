/** A spec with a script, from files of this machine: a program and what it is given, or a whole agent project. */
import { basename, isAbsolute, join, normalize, resolve } from "node:path";
import { projectFiles } from "../../compartment/bundle/projectFiles.ts";
import { loadPolicy } from "../../compartment/cli/resolveConfig.ts";
import type { NamedPath } from "../../compartment/policy/agentConfig.ts";
import { POLICY_FILE_NAME } from "../../compartment/policy/policyFile.ts";
import { readSource } from "../../compartment/policy/readSource.ts";
import { configOf } from "../../compartment/policy/settings.ts";
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

/**
 * @throws Rejection `USAGE`, `FILE_UNREADABLE`, and those of the compartment for its files and policy
 */
export function scriptSpec(options: ScriptOptions): SpecText {
  const timeout = options.timeout === undefined ? {} : { timeout_seconds: options.timeout };
  const spec =
    options.project === undefined
      ? { script: scriptOf(options), ...timeout }
      : { project: projectOf(options.project, options), ...timeout };
  return { text: JSON.stringify(spec), mediaType: "application/json" };
}

function scriptOf(options: ScriptOptions): object {
  return {
    source: readSource(options.script!).text,
    ...granted(options),
    files: filesOf((options.fsRead ?? []).map((path) => ({ name: nameOf(path), path }))),
  };
}

/** What flags say, for a script and beside the policy of a project alike. */
function granted({ tool = [], processImage, budget = [], contextJson }: ScriptOptions): object {
  return {
    tools: [...new Set(tool)],
    budgets: budgetsOf(budget),
    ...(contextJson === undefined ? {} : { context: jsonObject(contextJson) }),
    ...(processImage === undefined ? {} : { process_image: processImage }),
  };
}

/** Every file that the project's policy names, as it is, and the policy itself. */
function projectOf(folder: string, options: ScriptOptions): object {
  if (options.fsRead !== undefined)
    throw new Rejection("USAGE", "--fs-read goes with --script: what a project reads, its policy says.");
  const path = join(folder, POLICY_FILE_NAME);
  const { settings, sha256 } = loadPolicy(path);
  const config = configOf(settings, { path: resolve(path), sha256 });
  const read = filesOf(config.fs_read, config.fs_read_include, config.fs_read_exclude);
  return { files: { ...read, ...Object.fromEntries(projectFiles(config)) }, ...granted(options) };
}

/** What `readFile` would show of these files and folders, by the names that it has there. */
function filesOf(
  roots: readonly NamedPath[],
  include: readonly string[] = [],
  exclude: readonly string[] = [],
): Record<string, string> {
  const files: Record<string, string> = {};
  for (const { path, content, reason } of readSnapshot({ roots, include, exclude }).values()) {
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
