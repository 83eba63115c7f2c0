/**
 * A task as the API shows it. Field names, statuses and reasons are those of the ledger
 * (`services/domain/task/taskState.ts`); only times differ: text here, milliseconds there.
 */
import { z } from "zod";
import { workloadSpecSchema } from "../../services/domain/spec/workloadSpec.ts";
import { artifact } from "./artifact.ts";
import { attempt, attemptsShownMax } from "./attempt.ts";
import { image, logCounts, pull } from "./attemptParts.ts";
import { pendingReason } from "./pendingReason.ts";
import { sinkView } from "./sink.ts";
import { taskStatus } from "./taskStatus.ts";
import { timestamp } from "./timestamp.ts";
import { who } from "./who.ts";

/** What lists show: everything but the spec and what belongs to it. */
const summaryFields = {
  id: z.string(),
  tenant: z.string(),
  status: taskStatus,
  name: z.string().nullable().describe("The spec's name."),
  labels: z.record(z.string(), z.string()).describe("The spec's labels."),
  source: z
    .string()
    .describe(
      '"submit", "replay:<id>" for a replay of that task, "process:<id>" for a command of that script.',
    ),
  who,
  attempt: z.number().int().nonnegative().describe("Number of the last attempt; 0 before the first."),
  node: z.string().nullable(),
  image: image.nullable(),
  exit_code: z.number().int().nullable(),
  signal: z.number().int().nullable().describe("Number of the signal that ended it."),
  oom_killed: z.boolean(),
  reason: z
    .string()
    .nullable()
    .describe("Why the task, or its last attempt, ended: exit, signal, oom, timeout, node_lost and so on."),
  message: z.string().nullable().describe("The reason in more words, where there are any."),
  submitted_at: timestamp,
  started_at: timestamp.nullable(),
  finished_at: timestamp.nullable(),
};

export const taskSummary = z.object(summaryFields);
export type TaskSummary = z.output<typeof taskSummary>;

export const task = z.object({
  ...summaryFields,
  spec: workloadSpecSchema.describe("The declared intent, with every default filled in."),
  spec_digest: z.string().describe("SHA-256 of the spec's canonical JSON (RFC 8785)."),
  pending_reason: pendingReason.nullable().describe("While the task is pending: why no node runs it yet."),
  retries_used: z.number().int().nonnegative(),
  not_before: timestamp.nullable().describe("The next attempt does not start before this."),
  cancel: z
    .object({ at: timestamp, who, reason: z.string().nullable() })
    .nullable()
    .describe("Who asked to cancel it, and when."),
  logs: logCounts.nullable().describe("What the last attempt printed."),
  pull: pull.nullable().describe("Null where nothing was pulled: the image was on the node."),
  traceparent: z
    .string()
    .nullable()
    .describe("W3C trace context of the submit: its trace is the one of every event and of the container."),
  sinks: z.array(sinkView).describe("What becomes of its output sinks, in the order of the spec."),
  artifacts: z.array(artifact).describe("Files that its container published and that are hosted, by name."),
  attempts: z
    .array(attempt)
    .describe(`The last ${attemptsShownMax} attempts, oldest first; list_attempts has those before.`),
});
export type Task = z.output<typeof task>;
