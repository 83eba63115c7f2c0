/** The configuration of a run from a spec's project: its files in a folder of the run's own, its policy as `cazi agent` has it. */
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { AgentConfig } from "../../../services/compartment/policy/agentConfig.ts";
import type { ConfigKeyName } from "../../../services/compartment/policy/configKeys.ts";
import {
  POLICY_FILE_NAME,
  parsePolicy,
  unconfinedPaths,
} from "../../../services/compartment/policy/policyFile.ts";
import { readSource } from "../../../services/compartment/policy/readSource.ts";
import { liesIn } from "../../../services/compartment/policy/realPlace.ts";
import { configOf, mergeSettings, type Settings } from "../../../services/compartment/policy/settings.ts";
import { NOT_ON_NODES } from "../../../services/domain/spec/projectPolicy.ts";
import { filePath } from "../../../services/domain/spec/scriptGrants.ts";
import { Rejection } from "../../../services/kernel/errors.ts";
import type { ExecutionProject } from "../../../services/node-agent/executionSpec.ts";

/** Keys that the task itself says, or that the control plane does. */
const NOT_THE_POLICYS = [
  ...NOT_ON_NODES,
  "audit_log",
  "run_id",
  "worker",
  "fs_write",
  "model_provider",
  "model_api_key_env",
] as const satisfies readonly ConfigKeyName[];

/**
 * Exactly the project's files, which nobody writes any more, and a configuration that names no other.
 * @param of.folder private to the run
 * @param of.own what stands beside the policy, in the run's own words
 * @throws Rejection `POLICY_INVALID` for what the control plane should have refused, and those of the compartment
 */
export async function configOfProject(of: {
  readonly project: ExecutionProject;
  readonly folder: string;
  readonly artifacts: string;
  readonly own: Settings;
}): Promise<AgentConfig> {
  const { project, artifacts, own } = of;
  const folder = join(of.folder, "project");
  await writeFiles(folder, project.files);
  const path = join(folder, POLICY_FILE_NAME);
  const source = readSource(path);
  const { settings, faults, document } = parsePolicy(source.text, folder);
  const leaving = unconfinedPaths(document, (path) => liesIn(folder, join(folder, path)));
  const [fault] = [...faults.filter(({ level }) => level === "error"), ...leaving];
  if (fault !== undefined) throw invalid(`${fault.pointer || "/"} ${fault.message}`);
  const values: Partial<Record<ConfigKeyName, unknown>> = { ...settings.values };
  const writes = values.fs_write !== undefined;
  for (const key of NOT_THE_POLICYS) delete values[key];
  const { "model.call": _, ...secrets } = (values.secrets ?? {}) as Record<string, string>;
  const policy = { ...settings, values: { ...values, secrets } };
  const beside = {
    ...own.values,
    tools: project.tools,
    ...(project.context == null ? {} : { context: project.context }),
    ...(writes ? { fs_write: { name: "artifacts", path: artifacts } } : {}),
  };
  const merged = mergeSettings(policy, { ...own, values: beside, agent: null });
  return configOf(merged, { path, sha256: source.sha256 });
}

async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const [name, text] of Object.entries(files)) {
    if (!filePath.safeParse(name).success) throw invalid("a path of the project leads elsewhere");
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(path, text, { mode: 0o600, flag: "wx" });
    await chmod(path, 0o400);
  }
}

function invalid(what: string): Rejection {
  return new Rejection("POLICY_INVALID", `The project's policy is not one for a node: ${what}.`);
}
