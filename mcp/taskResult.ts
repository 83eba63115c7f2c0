/** A task as tools give it: without its spec, which the caller wrote, unless it asks. */
import { z } from "zod";
import { type Task, task } from "../schemas/api/task.ts";
import { isTerminalStatus } from "../schemas/api/taskStatus.ts";
import { resultCharsMax, resultFrameChars } from "./limits.ts";

export const taskId = z.string().min(1).max(128).describe("The task's id, as submit_task gave it.");

export const taskWithoutSpec = task.omit({ spec: true });
export type TaskWithoutSpec = z.output<typeof taskWithoutSpec>;

export const fullTask = task.extend({
  spec: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe("The declared intent, every default filled in; null where it is too long for a result."),
  truncated: z.boolean().describe("True when the spec was left out because it is too long."),
});

export function withoutSpec(whole: Task): TaskWithoutSpec {
  const { spec: _, ...rest } = whole;
  return rest;
}

export function fittingTask(whole: Task): z.output<typeof fullTask> {
  const truncated = JSON.stringify(whole).length > resultCharsMax - resultFrameChars;
  return { ...whole, spec: truncated ? null : whole.spec, truncated };
}

/** True when nothing more will happen to the task. */
export function isDone(whole: Pick<Task, "status">): boolean {
  return isTerminalStatus(whole.status);
}
