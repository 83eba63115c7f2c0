import type { Task } from "../../../schemas/api/task.ts";
import { pendingLines } from "./pendingLines.ts";
import { pullText } from "./pullText.ts";
import { fields } from "./table.ts";

/** One task for people. Pure. */
export function taskFields(task: Task): string {
  const { logs } = task;
  return fields([
    ["id", task.id],
    ["name", task.name],
    ["status", task.status],
    ["reason", task.reason],
    ["message", task.message],
    ...pendingLines(task.pending_reason),
    ["exit code", task.exit_code],
    ["signal", task.signal],
    ["attempt", attemptText(task)],
    ["node", task.node],
    ["image", task.spec.image],
    ["pull", task.pull === null ? null : pullText(task.pull)],
    ["image id", task.image?.repo_digest ?? task.image?.image_id],
    ["command", task.spec.command.length === 0 ? null : JSON.stringify(task.spec.command)],
    ["rationale", task.spec.rationale],
    ["source", task.source],
    ["by", `${task.who.actor} (${task.who.route})`],
    ["submitted", task.submitted_at],
    ["started", task.started_at],
    ["finished", task.finished_at],
    ["cancel asked", task.cancel?.at],
    ["stdout", logs === null ? null : bytes(logs.stdout)],
    ["stderr", logs === null ? null : bytes(logs.stderr)],
    ["spec digest", task.spec_digest],
    ["trace", task.traceparent],
  ]);
}

function bytes(count: { readonly stored: number; readonly dropped: number }): string {
  return `${count.stored} bytes${count.dropped === 0 ? "" : `, ${count.dropped} not kept`}`;
}

/** Which attempt, and how many further ones the spec allows where it allows any. */
function attemptText({ attempt, retries_used, not_before, spec }: Task): string {
  const { max_retries } = spec;
  const retries = max_retries === 0 ? "" : ` (${retries_used} of ${max_retries} retries used)`;
  return `${attempt}${retries}${not_before === null ? "" : `, the next not before ${not_before}`}`;
}
