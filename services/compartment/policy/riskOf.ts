/** What a configuration would let a program do, in words that a reviewer can check. Pure. */
import type { JsonObject } from "../membrane/jsonText.ts";
import { credentialEnv, namedEndpoints } from "../network/createNetworkTools.ts";
import { isWeak, parseIntegrity } from "./admitModules.ts";
import type { AgentConfig } from "./agentConfig.ts";

/** What this does not claim, wherever a claim is made. */
export const nonClaims = [
  "This is not a sandbox of the operating system: run it inside a container, a VM or seccomp as well.",
  "A tool that is granted does what it does: an approval is about one call, not about what the result is used for.",
  "fnv1a64 integrity finds mistakes, not an adversary; only sha256 does.",
  "A command that process runs has all that this user may do: only its arguments, folder and variables are bounded.",
  "The program may emit anything it was given: what it sees is what it can tell.",
];

export interface Risk {
  readonly level: "low" | "medium" | "high";
  readonly about: string;
}

export function riskOf(config: AgentConfig): readonly Risk[] {
  const risks: Risk[] = [];
  const risk = (level: Risk["level"], about: string) => risks.push({ level, about });
  const held = new Set(config.approval_required_tools);
  if (config.fs_read.length > 0) risk("medium", `reads files under ${names(config.fs_read)}`);
  if (config.fs_write !== null && config.tools.includes("writeArtifact")) {
    risk(held.has("writeArtifact") ? "low" : "medium", `creates files under ${config.fs_write.name}`);
  }
  for (const [tool, variable] of Object.entries(config.secrets))
    risk("high", `${tool} uses the secret in ${variable}`);
  for (const { tool, pinned } of namedEndpoints) {
    if (!config.tools.includes(tool)) continue;
    const env = credentialEnv(config, tool);
    const credential = env === null ? "" : ` with the credential in ${env}`;
    risk(env === null ? "low" : "medium", `${tool} reaches ${pinned}${credential}`);
  }
  for (const name of Object.keys(config.process_commands)) {
    risk(held.has("process") ? "medium" : "high", `process runs ${name} on this machine`);
  }
  for (const tool of config.approved_tools) {
    if (held.has(tool)) risk("medium", `${tool} is held, but approved beforehand`);
  }
  const pinned = { ...config.package_integrity, ...config.import_hook_integrity };
  for (const [name, integrity] of Object.entries(pinned)) {
    const parsed = parseIntegrity(integrity);
    if (parsed === null) risk("high", `${name} has an integrity that is not one`);
    else if (isWeak(parsed)) risk("medium", `${name} is pinned by fnv1a64 alone (integrity: weak)`);
  }
  for (const name of Object.keys(config.modules))
    risk("low", `module ${name} is admitted by path, without a hash`);
  if (config.budgets.max_steps === null) risk("low", "steps are not limited; time is");
  return risks;
}

/** Of each pinned name: fnv1a64 alone is weak. */
export function integrityOf(config: AgentConfig): Record<string, "strong" | "weak"> {
  const pinned = { ...config.package_integrity, ...config.import_hook_integrity };
  const strength = (text: string) => {
    const parsed = parseIntegrity(text);
    return parsed === null || isWeak(parsed) ? "weak" : "strong";
  };
  return Object.fromEntries(Object.entries(pinned).map(([name, text]) => [name, strength(text)]));
}

export function authorityCounts(config: AgentConfig): JsonObject {
  return {
    tools: config.tools.length,
    approval_required_tools: config.approval_required_tools.length,
    approved_tools: config.approved_tools.length,
    secrets: Object.keys(config.secrets).length,
    modules: Object.keys(config.modules).length,
    packages: Object.keys(config.packages).length,
    import_hooks: Object.keys(config.import_hooks).length,
    fs_read: config.fs_read.length,
    fs_write: config.fs_write === null ? 0 : 1,
    process_commands: Object.keys(config.process_commands).length,
  };
}

function names(paths: readonly { readonly name: string }[]): string {
  return paths.map(({ name }) => name).join(", ");
}
