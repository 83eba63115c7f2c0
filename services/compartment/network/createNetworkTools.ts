/** The named network tools of one run, each bound to its one address. */
import type { AgentConfig } from "../policy/agentConfig.ts";
import type { Tool } from "../tools/tool.ts";
import type { ToolPorts } from "../tools/toolPorts.ts";
import { type Fixtures, readFixtures } from "./fixtures.ts";
import { githubEndpoints } from "./githubEndpoints.ts";
import { liveModelFault, modelCall } from "./modelEndpoint.ts";
import type { NamedEndpoint } from "./namedEndpoint.ts";
import { type NamedNetwork, namedNetworkTool } from "./namedNetworkTool.ts";
import { openNetworkCache } from "./networkCache.ts";
import { npmMetadata, osvQuery } from "./packageEndpoints.ts";

export const namedEndpoints: readonly NamedEndpoint[] = [
  osvQuery,
  npmMetadata,
  ...githubEndpoints,
  modelCall,
];

const CACHE_ENTRIES_DEFAULT = 1024;

/** The address of each tool. A program can choose none of them; npm's and the model's are the operator's. */
export function endpointAddress(config: AgentConfig, tool: string): string {
  if (tool === "osv.query") return "https://api.osv.dev/v1/query";
  if (tool === "npm.metadata") return config.resolved.npm_registry ?? "";
  if (tool === "model.call") return config.resolved.model_url ?? "https://api.openai.com/v1/responses";
  return "https://api.github.com";
}

/** @throws Rejection `FIXTURE_REFUSED`, and those of reading the fixtures */
export function createNetworkTools(config: AgentConfig, ports: ToolPorts): readonly Tool[] {
  const cache =
    config.named_network_cache_dir === null
      ? null
      : openNetworkCache({
          folder: config.named_network_cache_dir.path,
          maxAgeMs: config.named_network_cache_max_age_ms,
          maxEntries: config.named_network_cache_max_entries ?? CACHE_ENTRIES_DEFAULT,
          nowMs: ports.nowMs,
        });
  return namedEndpoints
    .filter(({ tool }) => config.tools.includes(tool))
    .map((endpoint) => {
      const env = credentialEnv(config, endpoint.tool);
      const network: NamedNetwork = {
        port: ports.network,
        endpoint: endpointAddress(config, endpoint.tool),
        fixtures: fixturesOf(config, endpoint.tool),
        cache,
        offline: config.named_network_cache_mode === "offline",
        retries: config.named_network_retry_attempts ?? 0,
        credential: env === null ? null : { env, value: () => ports.credential(env) },
        ...(endpoint.tool === "model.call" ? { liveFault: liveModelFault } : {}),
        ...(endpoint.tool === "model.call" && ports.modelPlane !== undefined
          ? { through: ports.modelPlane }
          : {}),
      };
      return namedNetworkTool(endpoint, network);
    });
}

/** Name of the variable with a tool's credential: that of its kind, else its own secret. */
export function credentialEnv(config: AgentConfig, tool: string): string | null {
  const own = config.secrets[tool] ?? null;
  if (tool === "model.call") return config.model_api_key_env ?? own;
  return tool.startsWith("github.") ? (config.github_token_env ?? own) : null;
}

function fixturesOf(config: AgentConfig, tool: string): Fixtures | null {
  const file =
    tool === "osv.query" ? config.osv_fixture : tool === "model.call" ? config.model_fixture : null;
  return file === null ? null : readFixtures(file);
}
