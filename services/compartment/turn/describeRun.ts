/** The identity and authority that `run_start` states. Pure. */
import type { JsonObject, JsonValue } from "../membrane/jsonText.ts";
import type { AgentConfig } from "../policy/agentConfig.ts";
import { type ReadSnapshot, snapshotManifest } from "../tools/readSnapshot.ts";
import { describeNetwork, describeProcess } from "./describeTools.ts";
import type { ModulePolicy } from "./moduleSurface.ts";

export function describeRun(of: {
  readonly runId: string;
  readonly config: AgentConfig;
  readonly modules: ModulePolicy;
  readonly snapshot: ReadSnapshot;
}): JsonObject {
  const { config } = of;
  return {
    tools: config.tools,
    run_id: of.runId,
    mouth: "agent",
    worker: { requested: config.worker, hosted: true, process: config.budgets.max_rss_mb !== null },
    agent: config.agent?.name ?? config.entry_module,
    timeout_ms: config.budgets.timeout_ms,
    policy: config.policy && { path: config.policy.path, sha256: config.policy.sha256 },
    secret_scopes: Object.entries(config.secrets).map(([tool, name]) => ({
      tool,
      credential_mode: "env",
      credential_env: name,
    })),
    approval_gates: {
      required: config.approval_required_tools,
      approved: config.approved_tools,
      approval_log: config.approval_log?.name ?? null,
      approval_max_age_ms: config.approval_max_age_ms,
    },
    fs_read: {
      roots: config.fs_read.map(({ name }) => name),
      include: config.fs_read_include,
      exclude: config.fs_read_exclude,
    },
    fs_read_source_manifest: snapshotManifest(of.snapshot),
    artifact_write: config.fs_write?.name ?? null,
    named_network: describeNetwork(config),
    named_network_retry_attempts: config.named_network_retry_attempts ?? 0,
    process_tools: describeProcess(config),
    expected_events: Object.keys(config.expected_events),
    event_budget: { max_events: config.budgets.max_events, max_event_bytes: config.budgets.max_event_bytes },
    tool_payload_budget: {
      max_tool_arg_bytes: config.budgets.max_tool_arg_bytes,
      max_tool_result_bytes: config.budgets.max_tool_result_bytes,
    },
    resource_controls: {
      max_microtasks: config.budgets.max_microtasks,
      max_steps: config.budgets.max_steps,
      max_heap_mb: config.budgets.max_heap_mb,
      max_rss_mb: config.budgets.max_rss_mb,
    },
    module_policy: [...of.modules].map(([specifier, module]): JsonValue => {
      return { specifier, kind: module.kind, source_hash: module.fnv1a64, sha256: module.sha256 };
    }),
    state_controls: { scope: "single_turn", max_state_bytes: config.budgets.max_state_bytes },
  };
}
