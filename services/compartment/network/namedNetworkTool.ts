/**
 * A tool that reaches one address. Where an answer comes from, in this order: a fixture, the cache, the network with a
 * bounded number of tries; and each of it is a record, so that a reader of the log knows how fresh a result is.
 */

import { canonicalText } from "../membrane/canonicalText.ts";
import {
  JSON_DEPTH_MAX,
  type JsonObject,
  type JsonValue,
  jsonDepth,
  plainCopy,
} from "../membrane/jsonText.ts";
import { checkMembers, type RecordEntry, type Tool, type ToolCall, ToolFailure } from "../tools/tool.ts";
import type { Fixtures } from "./fixtures.ts";
import type { NamedEndpoint } from "./namedEndpoint.ts";
import type { CacheKey, NetworkCache } from "./networkCache.ts";
import type { NetworkPort } from "./networkPort.ts";
import { sendWithRetries } from "./sendWithRetries.ts";

export interface NamedNetwork {
  readonly port: NetworkPort;
  /** In place of the port, where somebody else asks for this run. */
  readonly through?: (record: RecordEntry) => NetworkPort;
  /** Address that the run was pinned to, without a slash at its end. */
  readonly endpoint: string;
  readonly fixtures: Fixtures | null;
  readonly cache: NetworkCache | null;
  readonly offline: boolean;
  readonly retries: number;
  /** Name of the variable, and its value at the time of the call; null without a credential. */
  readonly credential: { readonly env: string; readonly value: () => string } | null;
  /** What a live call needs of the arguments beyond what the endpoint checks. */
  readonly liveFault?: (args: JsonObject) => string | null;
}

export function namedNetworkTool(endpoint: NamedEndpoint, network: NamedNetwork): Tool {
  return {
    name: endpoint.tool,
    mode: "promise",
    repeatable: endpoint.repeatable || network.fixtures !== null,
    check(args) {
      const fault = checkMembers(args, endpoint.members) ?? endpoint.fault(args);
      return fault ?? (network.fixtures === null ? (network.liveFault?.(args) ?? null) : null);
    },
    admit: () => null,
    run: (call) => answer(endpoint, network, call),
  };
}

async function answer(endpoint: NamedEndpoint, network: NamedNetwork, call: ToolCall): Promise<JsonObject> {
  if (network.fixtures !== null) {
    const found = network.fixtures(call.args);
    if (found === null) throw new ToolFailure("FIXTURE_MISSING", "the fixtures have no such call");
    return found;
  }
  const key: CacheKey = {
    tool: endpoint.tool,
    endpoint: network.endpoint,
    args: canonicalText(call.args),
    credential_env: network.credential?.env ?? null,
  };
  const cached = network.cache === null ? null : fromCache(network, network.cache, key, call.record);
  if (cached !== null) return shaped(endpoint, call.args, cached);
  if (network.offline) {
    throw new ToolFailure("NETWORK_OFFLINE", "the cache has no fresh answer, and the network is not used");
  }
  const text = await fetchText(endpoint, network, call);
  const result = shaped(endpoint, call.args, text);
  if (network.cache !== null) toCache(network.cache, key, text, call.record);
  return result;
}

/** The text of a fresh entry, or null; with its record in any case. */
function fromCache(
  network: NamedNetwork,
  cache: NetworkCache,
  key: CacheKey,
  record: RecordEntry,
): string | null {
  const found = cache.find(key);
  const mode = network.offline ? "offline" : "read-through";
  switch (found.state) {
    case "hit":
      record("named_network_cache_hit", { tool: key.tool, mode, age_ms: found.ageMs });
      return found.text;
    case "stale":
      record("named_network_cache_stale", { tool: key.tool, mode, age_ms: found.ageMs });
      return null;
    case "miss":
      record("named_network_cache_miss", { tool: key.tool, mode });
      return null;
    default:
      record("named_network_cache_error", { tool: key.tool, mode, reason: "entry_corrupt" });
      return null;
  }
}

/** A cache that cannot be written costs a later call, not this one. */
function toCache(cache: NetworkCache, key: CacheKey, text: string, record: RecordEntry): void {
  try {
    const evicted = cache.store(key, text);
    record("named_network_cache_write", { tool: key.tool, bytes: Buffer.byteLength(text) });
    if (evicted > 0) record("named_network_cache_eviction", { tool: key.tool, entries: evicted });
  } catch {
    record("named_network_cache_error", { tool: key.tool, reason: "entry_unwritable" });
  }
}

async function fetchText(endpoint: NamedEndpoint, network: NamedNetwork, call: ToolCall): Promise<string> {
  const { method, path, headers, body } = endpoint.ask(call.args);
  const authorization =
    network.credential === null ? {} : { authorization: `Bearer ${network.credential.value()}` };
  return sendWithRetries(
    network.through?.(call.record) ?? network.port,
    {
      url: network.endpoint + path,
      method,
      headers: { "user-agent": "cazi-agent", ...headers, ...authorization },
      body: body === null ? null : JSON.stringify(body),
      signal: call.signal,
    },
    { tool: endpoint.tool, retries: network.retries, record: call.record },
  );
}

function shaped(endpoint: NamedEndpoint, args: JsonObject, text: string): JsonObject {
  const malformed = () =>
    new ToolFailure("NETWORK_MALFORMED", "the answer is not what the endpoint promises");
  if (jsonDepth(text) > JSON_DEPTH_MAX) throw malformed();
  let value: JsonValue;
  try {
    value = plainCopy(JSON.parse(text) as JsonValue);
  } catch {
    throw malformed();
  }
  const result = endpoint.shape(args, value);
  if (result === null) throw malformed();
  return result;
}
