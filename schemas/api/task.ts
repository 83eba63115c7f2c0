/**
 * A task as the API shows it. Field names, statuses and reasons are those of the ledger
 * (`services/domain/task/taskState.ts`); only times differ: text here, milliseconds there.
 */
import { z } from "zod";
import { workloadSpecSchema } from "../../services/domain/spec/workloadSpec.ts";
import { taskStatus } from "./taskStatus.ts";
import { timestamp } from "./timestamp.ts";
import { who } from "./who.ts";

export const image = z
  .object({
    ref: z.string(),
    repo_digest: z.string().nullable(),
    image_id: z.string().nullable(),
  })
  .describe("The image that really runs; an imported one has no repository digest.");

const logCount = z.object({
  stored: z.number().int().nonnegative().describe("Bytes kept."),
  dropped: z
    .number()
    .int()
    .nonnegative()
    .describe("Bytes produced and not kept: beyond the cap, or there was no room."),
});

export const logCounts = z
  .object({ stdout: logCount, stderr: logCount })
  .describe("What the last attempt printed, known when it has ended.");

export const pull = z
  .object({
    ref: z.string(),
    tries: z
      .number()
      .int()
      .positive()
      .describe("The try that is under way, or was the last; 1 is the first."),
    started_at: timestamp,
    layers_done: z.number().int().nonnegative(),
    layers_total: z.number().int().nonnegative().describe("Known so far."),
    bytes_done: z.number().int().nonnegative(),
    bytes_total: z.number().int().nonnegative().describe("Of the layers whose size is known so far."),
    last_error: z.string().nullable().describe("Why the last try that failed did."),
    retry_at: timestamp.nullable().describe("While the node waits: when it tries again."),
    finished_at: timestamp.nullable().describe("When the image was there."),
  })
  .describe("How far the pull of the last attempt's image is, by the node's clock.");

/** What lists show: everything but the spec and what belongs to it. */
const summaryFields = {
  id: z.string(),
  tenant: z.string(),
  status: taskStatus,
  name: z.string().nullable().describe("The spec's name."),
  labels: z.record(z.string(), z.string()).describe("The spec's labels."),
  source: z.string().describe('"submit", or "replay:<id>" for a replay of that task.'),
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
  pending_reason: z.string().nullable().describe("While the task is pending: why no node runs it yet."),
  retries_used: z.number().int().nonnegative(),
  not_before: timestamp.nullable().describe("The next attempt does not start before this."),
  cancel: z
    .object({ at: timestamp, who, reason: z.string().nullable() })
    .nullable()
    .describe("Who asked to cancel it, and when."),
  logs: logCounts.nullable(),
  pull: pull.nullable().describe("Null where nothing was pulled: the image was on the node."),
  traceparent: z
    .string()
    .nullable()
    .describe("W3C trace context of the submit: its trace is the one of every event and of the container."),
});
export type Task = z.output<typeof task>;
