/** From the flags, and the policy that they name, to one configuration and the secrets that it refers to. */
import { dirname, join, resolve } from "node:path";
import { Rejection } from "../../kernel/errors.ts";
import { SECRET_CHARACTERS_MIN } from "../membrane/redaction.ts";
import { configuredRegistry, endpointOf } from "../network/npmRegistry.ts";
import type { AgentConfig } from "../policy/agentConfig.ts";
import { POLICY_FILE_NAME, parsePolicy } from "../policy/policyFile.ts";
import { readSource } from "../policy/readSource.ts";
import { configOf, mergeSettings, type Settings, settingsOfFlags } from "../policy/settings.ts";
import { controlPlaneRunner } from "../process/controlPlaneRunner.ts";
import type { TaskRunner } from "../process/taskRunner.ts";
import type { ToolPorts } from "../tools/toolPorts.ts";
import type { AgentIo } from "./agentIo.ts";
import { type ParsedFlags, usage } from "./parseFlags.ts";

/** @throws Rejection `USAGE`, `POLICY_INVALID`, and those of reading the file */
export function resolveConfig(flags: ParsedFlags, cwd: string): AgentConfig {
  const own = settingsOfFlags(flags, cwd);
  const path = policyPathOf(flags, cwd);
  if (path === null) return configOf(own, null);
  const policy = loadPolicy(path);
  return configOf(mergeSettings(policy.settings, own), { path, sha256: policy.sha256 });
}

export function policyPathOf(flags: ParsedFlags, cwd: string): string | null {
  const project = flags.texts.get("project");
  const policy = flags.texts.get("policy");
  if (project !== undefined && policy !== undefined) throw usage("Give --project or --policy, not both.");
  if (project !== undefined) return join(resolve(cwd, project), POLICY_FILE_NAME);
  return policy === undefined ? null : resolve(cwd, policy);
}

/** @throws Rejection `POLICY_INVALID`, and those of reading the file */
export function loadPolicy(path: string): { readonly settings: Settings; readonly sha256: string } {
  const source = readSource(path);
  const { settings, faults } = parsePolicy(source.text, dirname(path));
  const errors = faults.filter(({ level }) => level === "error");
  if (errors.length > 0) {
    const listed = errors.map(({ pointer, message }) => `${pointer || "/"} ${message}`).join("; ");
    throw new Rejection("POLICY_INVALID", `${path} is not a valid policy: ${listed}.`, {
      hint: "`cazi agent policy validate --strict` lists everything.",
    });
  }
  return { settings, sha256: source.sha256 };
}

/**
 * The values of the variables that the configuration names.
 * @throws Rejection `SECRET_UNSET`, `SECRET_TOO_SHORT`
 */
export function secretValues(
  config: AgentConfig,
  env: Readonly<Record<string, string | undefined>>,
): string[] {
  const named = [...Object.values(config.secrets), config.github_token_env, config.model_api_key_env];
  return named.flatMap((name) => {
    if (name === null) return [];
    const value = env[name] ?? "";
    if (value === "") throw new Rejection("SECRET_UNSET", `The variable ${name} is not set or empty.`);
    if (value.length < SECRET_CHARACTERS_MIN) {
      throw new Rejection(
        "SECRET_TOO_SHORT",
        `The value of ${name} is shorter than ${SECRET_CHARACTERS_MIN} characters and could not be redacted safely.`,
      );
    }
    return [value];
  });
}

/**
 * The configuration with the addresses that are the operator's to say, asked once: what a run or a job began with, it
 * keeps.
 * @throws Rejection `USAGE` for a `CAZI_MODEL_URL` that is no address
 */
export async function withAddresses(
  config: AgentConfig,
  of: { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>> },
): Promise<AgentConfig> {
  const given = of.env.CAZI_MODEL_URL ?? "";
  const model_url = given === "" ? null : endpointOf(given);
  if (given !== "" && model_url === null) throw usage("CAZI_MODEL_URL is not an http address.");
  const npm_registry = config.tools.includes("npm.metadata") ? await configuredRegistry(of) : null;
  return { ...config, resolved: { npm_registry, model_url } };
}

/** What tools get of the world, from what the commands get of it. */
export function toolPortsOf(io: AgentIo): Omit<ToolPorts, "nowMs"> {
  return { network: io.network, credential: (name) => io.env[name] ?? "", taskRunner: taskRunnerOf(io) };
}

/** Where commands go that are not named here; null unless the operator says all of it, in the environment alone. */
function taskRunnerOf({ env, network }: Pick<AgentIo, "env" | "network">): TaskRunner | null {
  const { CAZI_URL = "", CAZI_TOKEN: token = "", CAZI_PROCESS_IMAGE: image = "" } = env;
  const url = endpointOf(CAZI_URL);
  if (url === null || token === "" || image === "") return null;
  return controlPlaneRunner({ url, token, image, network });
}
