/** What a run asks for and this build, or this run's configuration, cannot give. Pure. */
import type { AgentConfig } from "../policy/agentConfig.ts";
import { isLocal } from "../process/processTool.ts";
import { SUPERVISOR_REASON, toolManifest } from "./manifest.ts";

export interface Unsupported {
  readonly control: string;
  readonly reason: string;
}

/** The first granted tool that cannot be given, with the reason; null when there is none. */
export function unsupportedTool(
  config: AgentConfig,
  of: { readonly taskRunner: boolean },
): Unsupported | null {
  for (const name of config.tools) {
    const reason = reasonOf(config, name, of.taskRunner);
    if (reason !== null) return { control: `tool_${name}`, reason };
  }
  return null;
}

function reasonOf(config: AgentConfig, name: string, taskRunner: boolean): string | null {
  if (name === "process") return isLocal(config) || taskRunner ? null : SUPERVISOR_REASON;
  if (name === "model.call") {
    const live =
      config.resolved.model_by_plane === true ||
      config.model_provider !== null ||
      config.named_network_cache_mode === "offline";
    return live || config.model_fixture !== null ? null : "model_provider_required_not_available";
  }
  if (name === "npm.metadata") {
    return config.resolved.npm_registry === null ? "npm_registry_required_not_available" : null;
  }
  const found = toolManifest.find((one) => one.name === name);
  return found?.available === "false" ? found.reason! : null;
}
