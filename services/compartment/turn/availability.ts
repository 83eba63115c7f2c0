/** What the turn does with time and waiting, as it is written in `run_start` and at the turn's end. */
import { type Budgets, STEPS_PER_POLL } from "../budgets/budgets.ts";
import type { JsonObject } from "../membrane/jsonText.ts";

export function availabilityControls(budgets: Budgets): JsonObject {
  return {
    sync_timeout: "enforced",
    timeout_ms: budgets.timeout_ms,
    tenant_timeout_catchability: "uncatchable_gate",
    microtask_budget: "enforced",
    max_microtasks: budgets.max_microtasks,
    pending_promise_disposition: "detached_at_turn_end",
    unhandled_rejection: "not_observed",
    timer_handles: "not_endowed_use_scheduler_sleep_protocol",
    async_tool_timeout: "enforced",
    tool_timeout_ms: budgets.tool_timeout_ms,
    step_budget: budgets.max_steps === null ? "available_with_--max-steps" : "enforced",
    max_steps: budgets.max_steps,
    step_granule: STEPS_PER_POLL,
    memory_heap: "enforced",
    max_heap_mb: budgets.max_heap_mb,
    memory_rss: budgets.max_rss_mb === null ? "available_with_--max-rss-mb" : "enforced",
    max_rss_mb: budgets.max_rss_mb,
  };
}
