/** What programs and readers of logs may rely on, as one object: names and forms that stay as they are. Pure. */
import { budgetKeys, budgetRules } from "../budgets/budgets.ts";
import { EXIT } from "../cli/exitCodes.ts";
import { ENGINE_NAME } from "../engine/engineModule.ts";
import type { JsonObject } from "../membrane/jsonText.ts";
import { toolManifest } from "../tools/manifest.ts";
import { configKeys } from "./configKeys.ts";

/** What a program has beside the language itself. `scheduler` only in a job. */
export const guestSurfaces = {
  emit: "(event) => undefined",
  callTool: "(name, args) => result | Promise",
  context: "the given object",
  state: "get, set, delete, list, reset",
  importValue: "(specifier, binding) => Promise",
  close: "() => undefined",
  auditNote: "(note) => undefined",
  auditControls: "() => controls",
  scheduler: "sleep, callTool, waitForInput",
} as const;

export const recordTypes = [
  "run_start event tool_call tool_result tool_denial tool_error tool_invalid_args tool_timeout tool_approval_pending",
  "tool_approval_granted tool_approval_denied tool_approval_stale budget_exceeded availability_check authority_check",
  "state_snapshot state_get state_set state_delete state_list state_reset session_load session_save module_policy",
  "module_entry module_entry_result module_entry_error module_import module_result module_denial import_hook_load",
  "worker_forwarding revocation revocation_denial audit_note audit_controls schema_validation process_task",
  "run_artifact_manifest named_network_cache_hit named_network_cache_miss named_network_cache_write",
  "named_network_cache_stale named_network_cache_error named_network_cache_eviction named_network_retry",
  "process_output_stream process_output_budget scheduler_await unsupported_control exception post_turn_failure run_end",
]
  .join(" ")
  .split(" ");

/** Types that a reader may look for in vain, and what says the same. */
export const recordTypesNotWritten: Readonly<Record<string, string>> = {
  module_error: "an admitted module that does not parse, or throws, is the exception of the program",
  module_entry_denial: "a module that is not admitted as the program is refused before there is a log (64)",
  import_hook_denial: "a hook that is not what it was pinned as is refused before there is a log (65)",
  artifact_write_request: "the tool_call of writeArtifact, before the file is there",
  worker_host_call: "each record of a surface: every one of them is such a call",
  product_reset: "in reset.json of what was put aside: a reset is about a project and not about a run",
};

export function abiReport(): JsonObject {
  return {
    type: "agent_abi",
    abi_version: 1,
    engine: ENGINE_NAME,
    guest_surfaces: guestSurfaces,
    source_type: "ecmascript_module",
    audit_log: {
      form: "json_lines",
      chain: "sha256(previous_hash + line_without_hash)",
      record_types: recordTypes,
      record_types_not_written: recordTypesNotWritten,
    },
    policy: {
      schema_version: 1,
      keys: ["schema_version", "profile", "agent", "budgets", ...Object.keys(configKeys)],
    },
    budgets: Object.fromEntries(budgetKeys.map((key) => [key, budgetRules[key].fallback])),
    tools: toolManifest.map(({ name, args, result, mode }) => ({ name, args, result, mode })),
    exit_codes: EXIT,
    promise_continuations: "resumed_by_deterministic_re_execution",
  };
}
