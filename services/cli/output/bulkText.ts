import type { BulkAction, BulkPreview, BulkResult } from "../../../schemas/api/bulk.ts";
import type { TaskSummary } from "../../../schemas/api/task.ts";
import { type Column, table } from "./table.ts";

const columns: readonly Column<TaskSummary>[] = [
  { title: "ID", cell: (task) => task.id },
  { title: "STATUS", cell: (task) => task.status },
  { title: "REASON", cell: (task) => task.reason },
  { title: "EXIT", cell: (task) => task.exit_code },
  { title: "SUBMITTED", cell: (task) => task.submitted_at },
  { title: "NAME", cell: (task) => task.name },
];

/** What a bulk action would be done to, for people. Pure. */
export function bulkText({ action, count, tasks }: BulkPreview): string {
  if (count === 0) return `no task to ${action} matches\n`;
  const what = action === "cancel" ? "would cancel" : "would replay, each as a new task,";
  const more = count - tasks.length;
  const rest = more === 0 ? "" : `and ${more} more\n`;
  return `${what} ${count} ${count === 1 ? "task" : "tasks"}:\n${table(columns, tasks)}${rest}`;
}

const words: Readonly<Record<BulkResult["outcome"], string>> = {
  cancelled: "cancelled",
  cancel_requested: "asked to stop",
  already_over: "were over already",
  replayed: "replayed",
  repeated: "were replayed before",
  failed: "failed",
};

/** What came of it, in one line. Pure. */
export function bulkDone(action: BulkAction, results: readonly BulkResult[]): string {
  const counts = new Map<BulkResult["outcome"], number>();
  for (const { outcome } of results) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  if (counts.size === 0) return action === "cancel" ? "nothing was cancelled" : "nothing was replayed";
  return [...counts].map(([outcome, count]) => `${count} ${words[outcome]}`).join(", ");
}
