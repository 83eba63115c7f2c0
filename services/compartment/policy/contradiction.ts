/** What in a configuration contradicts itself, as a sentence; null when nothing does. Pure. */
import { MODEL_PROVIDERS } from "../network/modelEndpoint.ts";
import type { AgentConfig } from "./agentConfig.ts";
import { writtenOverRead } from "./writtenOverRead.ts";

const RUN_ID = /^[A-Za-z0-9._:/-]{1,128}$/;
const RETRIES_MAX = 3;

export function contradiction(config: AgentConfig): string | null {
  if (config.run_id !== null && !RUN_ID.test(config.run_id))
    return "The run id has characters that it may not have.";
  if (config.approval_max_age_ms !== null && config.approval_log === null) {
    return "--approval-max-age-ms needs --approval-log.";
  }
  if (config.agent !== null && config.entry_module !== null)
    return "Give an agent file or --entry-module, not both.";
  for (const tool of Object.keys(config.secrets)) {
    if (!config.tools.includes(tool)) return `--secret is for ${tool}, which is not granted.`;
  }
  for (const name of Object.keys(config.packages)) {
    if (config.package_integrity[name] === undefined) return `--package ${name} needs --package-integrity.`;
  }
  for (const name of Object.keys(config.import_hooks)) {
    if (config.import_hook_integrity[name] === undefined)
      return `--import-hook ${name} needs --import-hook-integrity.`;
  }
  return (
    writtenOverRead(config) ??
    networkContradiction(config) ??
    modelContradiction(config) ??
    processContradiction(config)
  );
}

function networkContradiction(config: AgentConfig): string | null {
  const mode = config.named_network_cache_mode;
  if (mode !== null && mode !== "read-through" && mode !== "offline") {
    return "--named-network-cache-mode is read-through or offline.";
  }
  const bounds = [config.named_network_cache_max_age_ms, config.named_network_cache_max_entries, mode];
  if (config.named_network_cache_dir === null && bounds.some((bound) => bound !== null)) {
    return "--named-network-cache-mode, -max-age-ms and -max-entries need --named-network-cache-dir.";
  }
  if (config.named_network_cache_max_entries === 0) return "--named-network-cache-max-entries is at least 1.";
  return (config.named_network_retry_attempts ?? 0) > RETRIES_MAX
    ? `--named-network-retry-attempts is 0 to ${RETRIES_MAX}.`
    : null;
}

function modelContradiction({
  model_provider: provider,
  model_api_key_env: key,
}: AgentConfig): string | null {
  if ((provider === null) !== (key === null)) {
    return "--model-provider and --model-api-key-env need each other.";
  }
  const known = provider === null || (MODEL_PROVIDERS as readonly string[]).includes(provider);
  return known ? null : `--model-provider is one of ${MODEL_PROVIDERS.join(", ")}.`;
}

function processContradiction(config: AgentConfig): string | null {
  const commands = Object.keys(config.process_commands).length > 0;
  if (commands !== (config.process_cwd !== null)) {
    return "--process-command and --process-cwd need each other.";
  }
  return !commands && Object.keys(config.process_env).length > 0
    ? "--process-env needs --process-command."
    : null;
}
