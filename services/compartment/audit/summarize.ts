/** A recorded run at a glance. Pure: the same log is the same summary, anywhere and at any time. */
import type { JsonObject, JsonValue } from "../membrane/jsonText.ts";
import type { AuditRecord } from "./readAuditLog.ts";

/** @param head the hash of the last line; `complete` as the reader found it */
export function summarize(
  records: readonly AuditRecord[],
  of: { readonly head: string; readonly complete: boolean; readonly tornLine: number | null },
): JsonObject {
  const counts: Record<string, number> = Object.create(null);
  const tools: Record<string, Record<string, number>> = Object.create(null);
  const budgets: Record<string, number> = Object.create(null);
  const unsupported: Record<string, number> = Object.create(null);
  for (const record of records) {
    counts[record.type] = (counts[record.type] ?? 0) + 1;
    if (record.type === "budget_exceeded") add(budgets, String(record.budget));
    if (record.type === "unsupported_control") add(unsupported, String(record.control));
    if (typeof record.tool === "string" && record.type.startsWith("tool_")) {
      tools[record.tool] ??= Object.create(null) as Record<string, number>;
      add(tools[record.tool]!, record.type.slice("tool_".length));
    }
  }
  const start = records[0]!;
  const end = records.at(-1)!;
  const ended = end.type === "run_end";
  return {
    type: "agent_replay",
    run_id: start.run_id ?? null,
    agent: start.agent ?? null,
    status: ended ? (end.status ?? null) : "incomplete",
    reason: (ended ? end.reason : undefined) ?? null,
    complete: of.complete,
    torn_line: of.tornLine,
    head: of.head,
    records: records.length,
    runs: counts.run_start ?? 0,
    run_end_ok: ended && end.status === "ok" ? 1 : 0,
    run_end_error: ended && end.status === "error" ? 1 : 0,
    events: counts.event ?? 0,
    tool_calls: counts.tool_call ?? 0,
    tool_results: counts.tool_result ?? 0,
    tool_denials: counts.tool_denial ?? 0,
    tool_errors: counts.tool_error ?? 0,
    tool_timeouts: counts.tool_timeout ?? 0,
    tool_invalid_args: counts.tool_invalid_args ?? 0,
    budget_exceeded: counts.budget_exceeded ?? 0,
    budget_exceeded_breakdown: budgets,
    approvals: breakdown(counts, "tool_approval_"),
    module_imports: counts.module_import ?? 0,
    module_denials: counts.module_denial ?? 0,
    revocation_denials: counts.revocation_denial ?? 0,
    session_loads: counts.session_load ?? 0,
    session_saves: counts.session_save ?? 0,
    unsupported_control: counts.unsupported_control ?? 0,
    unsupported_control_breakdown: unsupported,
    memory_rss_exceeded: ended && end.reason === "memory_rss_exceeded" ? 1 : 0,
    timeouts: ended && end.reason === "timeout" ? 1 : 0,
    exceptions: counts.exception ?? 0,
    per_tool: tools,
    per_type: counts,
    used: (ended ? end.used : undefined) ?? null,
    has_availability_controls: start.availability_controls !== undefined,
  };
}

function add(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}

function breakdown(counts: Record<string, number>, prefix: string): JsonValue {
  return Object.fromEntries(
    Object.entries(counts)
      .filter(([name]) => name.startsWith(prefix))
      .map(([name, count]) => [name.slice(prefix.length), count]),
  );
}
