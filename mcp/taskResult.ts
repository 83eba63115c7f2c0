/** A task as tools give it: without its spec, which the caller wrote, unless it asks. */
import { z } from "zod";
import { artifact } from "../schemas/api/artifact.ts";
import { attempt } from "../schemas/api/attempt.ts";
import { type Task, task } from "../schemas/api/task.ts";
import { isTerminalStatus } from "../schemas/api/taskStatus.ts";
import { capLabels } from "./capItems.ts";
import { artifactsShownMax, resultCharsMax, resultFrameChars } from "./limits.ts";

export const taskId = z.string().min(1).max(128).describe("The task's id, as submit_task gave it.");

const truncated = z
  .boolean()
  .describe("True when the spec or labels were left out because they are too long.");

/** What only `get_task` shows: each tool's schema is read by a model at each start. */
export const taskWithoutSpec = task
  .omit({ spec: true, attempts: true, artifacts: true, pull: true, sinks: true })
  .extend({ truncated });
/** Of a result whose members `get_task` describes. */
export const taskWithoutSpecAbout = "The task, as get_task describes it, without spec, pull and sinks.";
export type TaskWithoutSpec = z.output<typeof taskWithoutSpec>;

/** What tells attempts apart; their images, pulls and bytes are in the events. */
const shortAttempt = attempt.pick({
  attempt: true,
  node: true,
  ended_by: true,
  reason: true,
  message: true,
  exit_code: true,
  started_at: true,
  finished_at: true,
});

const shortArtifact = artifact.pick({ name: true, bytes: true, media_type: true, expires_at: true });

export const fullTask = task.extend({
  artifacts: z
    .array(shortArtifact)
    .describe(
      "The first files that it published, by name; resource cazi://tasks/{id}/artifacts has all of them.",
    ),
  artifacts_total: z.number().int().nonnegative(),
  attempts: z
    .array(shortAttempt)
    .describe("The last attempts, oldest first; the last one's facts are the task's."),
  spec: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe("The declared intent, every default filled in; null where it is too long for a result."),
  truncated,
});

export function withoutSpec(whole: Task): TaskWithoutSpec {
  const {
    spec: _spec,
    attempts: _attempts,
    artifacts: _artifacts,
    pull: _pull,
    sinks: _sinks,
    ...rest
  } = whole;
  const { value, truncated } = capLabels(rest);
  return { ...value, truncated };
}

export function fittingTask(whole: Task): z.output<typeof fullTask> {
  const attempts = whole.attempts.map((one) => shortAttempt.parse(one));
  const artifacts = whole.artifacts.slice(0, artifactsShownMax).map((one) => shortArtifact.parse(one));
  const artifacts_total = whole.artifacts.length;
  const { pull, sinks } = whole;
  const shown = {
    ...withoutSpec(whole),
    pull,
    sinks,
    attempts,
    artifacts,
    artifacts_total,
    spec: whole.spec,
  };
  const fits = JSON.stringify(shown).length <= resultCharsMax - resultFrameChars;
  return fits ? shown : { ...shown, spec: null, truncated: true };
}

/** True when nothing more will happen to the task. */
export function isDone(whole: Pick<Task, "status">): boolean {
  return isTerminalStatus(whole.status);
}
