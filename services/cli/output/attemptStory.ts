import type { Attempt } from "../../../schemas/api/attempt.ts";
import type { Task } from "../../../schemas/api/task.ts";
import { shown } from "./table.ts";

/** What became of a task, a sentence an attempt, for somebody who asks why. Pure. */
export function attemptStory(task: Task): string {
  const { attempts, attempt } = task;
  const before = (attempts[0]?.attempt ?? attempt + 1) - 1;
  const lines = [
    `task ${task.id} is ${task.status}${because(task)}`,
    ...(before > 0
      ? [`${before} earlier attempts are not shown here; the history has them: cazi events ${task.id}`]
      : []),
    ...attempts.map((one) => `attempt ${one.attempt}${sentence(one, task)}`),
    ...(task.status === "pending" ? [waiting(task)] : []),
    ...(wouldBeTriedAgain(task) ? ["with max_retries in its spec another attempt would have been made"] : []),
  ];
  return lines.map((line) => `${shown(line)}\n`).join("");
}

/** What was lost and not the task's own failure. */
function wouldBeTriedAgain({ status, reason, spec }: Task): boolean {
  const isOfItsNode = reason === "container_lost" || reason === "node_lost";
  return isOfItsNode && status === "failed" && spec.max_retries === 0;
}

function because({ reason, message, exit_code }: Pick<Task, "reason" | "message" | "exit_code">): string {
  if (reason === null) return "";
  const code = reason === "exit" ? ` (exit code ${exit_code})` : "";
  return `: ${reason}${code}${message === null ? "" : `: ${message}`}`;
}

function sentence(one: Attempt, { spec }: Task): string {
  const where = one.node === null ? "" : ` on ${one.node}`;
  switch (one.ended_by) {
    case null:
      return `${where} is under way`;
    case "returned":
      return `${where} was given back${because(one)}; that costs nothing`;
    case "retrying":
      return `${where} ended${ran(one)}${because(one)}; ${one.uses_retry ? `it used one of ${spec.max_retries} retries` : "nothing ran, so it used no retry"}`;
    default:
      return `${where} ${one.ended_by}${ran(one)}${because(one)}`;
  }
}

function ran({ started_at, finished_at }: Attempt): string {
  if (started_at === null || finished_at === null) return "";
  return ` after ${((Date.parse(finished_at) - Date.parse(started_at)) / 1000).toFixed(1)} s`;
}

function waiting({ not_before, pending_reason }: Task): string {
  if (not_before !== null) return `the next attempt starts at ${not_before} or later`;
  return pending_reason === null ? "it waits for a node" : `it waits: ${pending_reason.message}`;
}
