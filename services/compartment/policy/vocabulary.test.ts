/** The words that records, policies and the doctor use, as tables: what a reader of a log or a policy may rely on. */
import { describe, expect, it } from "vitest";
import { type Budgets, budgetFault, budgetKeys, budgetRules, stepPolls } from "../budgets/budgets.ts";
import { toolManifest } from "../tools/manifest.ts";
import { recordTypes, recordTypesNotWritten } from "./abiReport.ts";
import { controls } from "./doctorReport.ts";
import { parsePolicy } from "./policyFile.ts";
import { templates } from "./templates.ts";

const words = (text: string) => text.trim().split(/\s+/).sort();

/** Budget, what holds without it, least, most. */
const budgets: readonly (readonly [keyof Budgets, number | null, number, number])[] = [
  ["timeout_ms", 250, 1, 2_147_483_647],
  ["tool_timeout_ms", 250, 1, 2_147_483_647],
  ["max_events", 128, 0, 2_147_483_647],
  ["max_event_bytes", 65_536, 2, 16_777_216],
  ["max_tool_arg_bytes", 65_536, 2, 16_777_216],
  ["max_tool_result_bytes", 65_536, 2, 16_777_216],
  ["max_state_bytes", 65_536, 2, 16_777_216],
  ["max_microtasks", 10_000, 0, 2_147_483_647],
  ["max_steps", null, 1, 2_147_483_647],
  ["max_heap_mb", 64, 24, 2048],
  ["max_rss_mb", null, 96, 65_536],
  ["process_output_stream_chunk_bytes", 1024, 1, 8192],
  ["max_scheduler_turns", null, 1, 2_147_483_647],
];

const reviewEvents = { max_events: 16 };
const plainEvents = { max_events: 32 };
const templateBudgets = {
  timeout_ms: 500,
  tool_timeout_ms: 250,
  max_state_bytes: 65_536,
  max_event_bytes: 8192,
  max_tool_arg_bytes: 8192,
  max_tool_result_bytes: 8192,
  max_microtasks: 1000,
  max_steps: 100_000,
};

/** Tool, class, what makes it available, its one address, arguments. */
const github = "named-network true api.github.com";
const tools = `echo none true - any object
fail test-host-failure true - any object
slow test-async true - {delay_ms?, value?}
readFile fs-read with_--fs-read - {path}
listFiles fs-read with_--fs-read - {path?}
writeArtifact fs-write with_--fs-write - {path, content}
osv.query named-network true api.osv.dev {package: {ecosystem, name}, version?}
npm.metadata named-network true configured_npm_registry {package}
github.issue.read ${github} {owner, repo, number}
github.pr.read ${github} {owner, repo, number}
github.pr.files.list ${github} {owner, repo, number, page?}
github.release.latest.read ${github} {owner, repo}
github.file.read ${github} {owner, repo, path, ref?}
github.compare.read ${github} {owner, repo, base, head}
github.commit.read ${github} {owner, repo, ref}
github.repo.read ${github} {owner, repo}
github.workflow.run.read ${github} {owner, repo, run_id}
github.workflow.jobs.list ${github} {owner, repo, run_id, page?}
github.check.runs.list ${github} {owner, repo, ref, page?}
model.call model with_--model-provider - {id, model?, input?}
process process with_--process-command - {command, args?, cwd?, env?, output?: full|summary|stream}
shell process false - -
exec process false - -
spawn process false - -`;

describe("the budgets", () => {
  it("have these defaults and bounds: the bound is taken, one beyond is not", () => {
    expect(budgets.map(([key]) => key)).toEqual(budgetKeys);
    for (const [key, fallback, min, max] of budgets) {
      expect([key, budgetRules[key].fallback]).toEqual([key, fallback]);
      for (const value of [min, max])
        expect([key, value, budgetFault(key, value)]).toEqual([key, value, null]);
      for (const value of [min - 1, max + 1, min + 0.5, "1", null]) {
        expect([key, value, typeof budgetFault(key, value)]).toEqual([key, value, "string"]);
      }
    }
  });

  it("count steps in granules of 10,000, the begun one whole", () => {
    expect([1, 10_000, 10_001, 20_000].map(stepPolls)).toEqual([2, 2, 3, 3]);
  });

  it("are pinned in every template, the events of a review lower", () => {
    const names = "blank demo package-review ci-triage repo-review plugin-quarantine";
    expect(templates.map(({ name }) => name)).toEqual(names.split(" "));
    for (const { name, files } of templates) {
      const { settings } = parsePolicy(files["agent-policy.json"]!, "/p");
      const own = ["blank", "demo"].includes(name) ? plainEvents : reviewEvents;
      expect([name, settings.budgets]).toEqual([name, { ...templateBudgets, ...own }]);
    }
  });
});

describe("the tools", () => {
  it("are these, each of its class, with what it needs and where it goes", () => {
    const listed = toolManifest.map(({ name, class: of, available, pinned, args }) =>
      [name, of, available, pinned ?? "-", args].join(" "),
    );
    expect(listed).toEqual(tools.split("\n"));
    for (const { available, reason } of toolManifest) {
      expect(reason).toBe(
        available === "false" ? "process_tool_supervisor_required_not_available" : undefined,
      );
    }
  });
});

describe("the records", () => {
  it("are of these types, and one that is not written says what is instead", () => {
    const known =
      words(`run_start event tool_call tool_result tool_denial tool_error tool_invalid_args tool_timeout
      tool_approval_pending tool_approval_granted tool_approval_denied tool_approval_stale budget_exceeded
      availability_check authority_check state_snapshot state_get state_set state_delete state_list state_reset
      session_load session_save module_policy module_import module_result module_error module_denial module_entry
      module_entry_result module_entry_error module_entry_denial import_hook_load import_hook_denial revocation
      revocation_denial audit_note audit_controls schema_validation artifact_write_request run_artifact_manifest
      named_network_cache_hit named_network_cache_write named_network_cache_stale named_network_cache_error
      named_network_cache_eviction named_network_retry process_output_stream process_output_budget worker_host_call
      worker_forwarding scheduler_await unsupported_control exception post_turn_failure product_reset run_end`);
    const own = words("named_network_cache_miss process_task");
    const all = [...recordTypes, ...Object.keys(recordTypesNotWritten)];
    expect(all.sort()).toEqual([...known, ...own].sort());
    expect(new Set(all).size).toBe(all.length);
  });
});

describe("the doctor", () => {
  it("states each of these controls", () => {
    const stated = words(`ambient_authority tools approval_gates secret_scopes event_budget expected_events
      audit_redaction tool_payload_budget clone_payload_bytes memory_rss sync_timeout tenant_timeout_catchability
      microtask_budget pending_promise_disposition async_tool_timeout process_tools step_budget module_policy entrypoint
      package_imports fs_read artifact_write osv_query npm_metadata github_issue_read github_pr_read
      github_release_latest_read github_repo_read github_workflow_run_read github_workflow_jobs_list
      github_check_runs_list named_network_cache named_network_retry model_call import_hooks worker_hosted state reset
      resume close_revocation replay unhandled_rejection operating_system_sandbox process_tool_supervisor`);
    expect(Object.keys(controls)).toEqual(expect.arrayContaining(stated));
  });
});
