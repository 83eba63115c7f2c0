/** What `run_start` states of tools that reach outside: where to, whose credential, which commands. No value of any. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { JsonObject } from "../membrane/jsonText.ts";
import { credentialEnv, endpointAddress, namedEndpoints } from "../network/createNetworkTools.ts";
import type { AgentConfig } from "../policy/agentConfig.ts";

export function describeNetwork(config: AgentConfig): JsonObject {
  const tools = namedEndpoints.map(({ tool }) => tool).filter((tool) => config.tools.includes(tool));
  return Object.fromEntries(
    tools.map((tool) => {
      const env = credentialEnv(config, tool);
      const mode = modeOf(config, tool);
      const about = {
        mode,
        endpoint: endpointAddress(config, tool),
        credential_mode: mode === BY_PLANE ? BY_PLANE : env === null ? "none" : "env",
        credential_env: env,
      };
      return [tool, about];
    }),
  );
}

const BY_PLANE = "control_plane";

function modeOf(config: AgentConfig, tool: string): string {
  if (tool === "osv.query" && config.osv_fixture !== null) return "fixture";
  if (tool === "model.call" && config.model_fixture !== null) return "fixture";
  if (tool === "model.call" && config.resolved.model_by_plane) return BY_PLANE;
  if (config.named_network_cache_dir === null) return "live";
  return config.named_network_cache_mode ?? "read-through";
}

export function describeProcess(config: AgentConfig): JsonObject {
  return {
    commands: Object.entries(config.process_commands).map(([name, { name: path, path: file }]) => {
      return { name, path, sha256: fileSha256(file) };
    }),
    cwd: config.process_cwd?.name ?? null,
    env_keys: Object.keys(config.process_env),
  };
}

/** Null for what cannot be read: then the call will say so. */
function fileSha256(path: string): string | null {
  try {
    return createHash("sha256").update(readFileSync(path)).digest("hex");
  } catch {
    return null;
  }
}
