/**
 * Every control and its true status. `enforced` is said of what a test of this service tries to break; what this build
 * does not have is listed as not available, not left out. Pure.
 */

import { STEPS_PER_POLL } from "../budgets/budgets.ts";
import { ENGINE_NAME, ENGINE_WASM_SHA256 } from "../engine/engineModule.ts";
import { RSS_POLL_MS } from "../engine/processLink.ts";
import type { JsonObject } from "../membrane/jsonText.ts";
import { SECRET_CHARACTERS_MIN } from "../membrane/redaction.ts";

const notAvailable = (reason: string) => ({ status: "not_available", reason });
const pinned = (endpoint: string) => ({ status: "enforced", endpoint, redirects: "refused" });
const github = pinned("api.github.com");

export const controls: JsonObject = {
  ambient_authority: "denied_by_default",
  tools: "explicit_registry",
  approval_gates: "enforced",
  secret_scopes: {
    status: "enforced",
    source: "environment_variable_names_only",
    min_characters: SECRET_CHARACTERS_MIN,
  },
  event_budget: "enforced",
  audit_redaction: { status: "enforced", by: ["field_name", "known_value", "percent_encoded", "base64"] },
  audit_chain: {
    status: "enforced",
    hash: "sha256",
    run: "written_before_result",
    schedule: "synced_at_intent_and_result",
  },
  tool_payload_budget: "enforced",
  clone_payload_bytes: "enforced",
  json_depth: "enforced",
  memory_heap: { status: "enforced", by: ["wasm_memory_maximum", "engine_limit", "growth_watch"] },
  memory_rss: {
    status: "available_with_--max-rss-mb",
    by: "process_of_its_own_killed",
    poll_ms: RSS_POLL_MS,
  },
  sync_timeout: { status: "enforced", by: "thread_terminated_from_outside" },
  tenant_timeout_catchability: "uncatchable_gate",
  microtask_budget: { status: "enforced", granularity: 1 },
  step_budget: { status: "available_with_--max-steps", granularity: STEPS_PER_POLL },
  pending_promise_disposition: "detached_at_turn_end",
  unhandled_rejection: "not_observed",
  async_tool_timeout: "enforced",
  clock_and_random: "fixed_and_seeded_per_run",
  code_generation: "refused",
  intrinsics: "frozen",
  module_policy: "explicit_exact_names",
  entrypoint: "available_with_--entry-module",
  package_imports: {
    status: "enforced",
    integrity: "sha256_strong_fnv1a64_weak",
    graphs: "folders_pinned_whole",
  },
  import_hooks: "enforced",
  fs_read: { status: "enforced", as: "snapshot_before_start" },
  artifact_write: { status: "enforced", overwrite: "denied", links: "refused" },
  expected_events: { status: "enforced", schema: "json_schema_without_patterns" },
  osv_query: pinned("api.osv.dev/v1/query"),
  npm_metadata: pinned("configured_npm_registry_at_the_start"),
  github_issue_read: github,
  github_pr_read: github,
  github_pr_files_list: github,
  github_release_latest_read: github,
  github_repo_read: github,
  github_file_read: github,
  github_compare_read: github,
  github_commit_read: github,
  github_workflow_run_read: github,
  github_workflow_jobs_list: github,
  github_check_runs_list: github,
  named_network_cache: {
    status: "available_with_--named-network-cache-dir",
    modes: ["read-through", "offline"],
    bounds: ["age", "entries"],
    entry_integrity: "sha256_finds_damage_not_forgery",
  },
  named_network_retry: { status: "available_with_--named-network-retry-attempts", max: 3 },
  network_credentials: "environment_variable_names_only",
  model_call: {
    status: "available_with_--model-provider",
    endpoint: "api.openai.com/v1/responses_or_CAZI_MODEL_URL",
    without_one: "refused_by_name_before_anything_runs",
    through_the_control_plane: "for_scripts_that_are_tasks",
  },
  process_tools: {
    status: "available_with_--process-command",
    as_task: "available_with_CAZI_URL_CAZI_TOKEN_CAZI_PROCESS_IMAGE",
    as_task_of_a_script_task: "available_with_process_image",
    form: "local_argv_capped_without_shell",
    environment: "named_variables_only",
    operating_system_isolation: "none",
  },
  process_tool_supervisor: {
    ...notAvailable("process_tool_supervisor_required_not_available"),
    instead: "process_tools_here_or_as_task",
  },
  worker_hosted: {
    status: "always",
    membrane: "every_surface_forwarded",
    process_isolation: "available_with_--max-rss-mb",
  },
  state: "single_turn",
  reset: { status: "available", deletes: "nothing", rollback: "newest" },
  resume: { status: "enforced", by: "deterministic_re_execution" },
  close_revocation: "enforced",
  replay: "pure_function_of_the_log",
  operating_system_sandbox: notAvailable("run_this_inside_a_container_or_vm_as_well"),
};

export function doctorReport(): JsonObject {
  return {
    type: "agent_doctor",
    mouth: "agent",
    status: "ok",
    engine: { name: ENGINE_NAME, wasm_sha256: ENGINE_WASM_SHA256 },
    controls,
    public_claim_predicate: "sandbox claims must be scoped to listed controls",
  };
}
