import { z } from "zod";
import { taskStatus } from "./taskStatus.ts";

export const comparisonQuery = z.strictObject({
  with: z
    .string()
    .regex(/^[0-9a-hjkmnp-tv-z]{26}$/, { error: "must be a task's id" })
    .optional()
    .describe("The other task; unset: the one that this task replays."),
});
export type ComparisonQuery = z.output<typeof comparisonQuery>;

const outcome = z.object({
  status: taskStatus,
  exit_code: z.number().int().nullable(),
  signal: z.number().int().nullable(),
  reason: z.string().nullable(),
});

const excerpt = z.object({
  text: z.string().nullable().describe("As text; null where the bytes are not UTF-8 text."),
  hex: z.string().describe("The bytes themselves, two digits each."),
  ended: z.boolean().describe("True when the output ends with it."),
});

/** Where two outputs differ for the first time. Both excerpts begin at the same place, a little before. */
export const outputDifference = z.object({
  offset: z.number().int().nonnegative().describe("Of the first byte that differs, from 0."),
  line: z.number().int().positive().describe("Its line, from 1."),
  excerpt_offset: z.number().int().nonnegative().describe("Of the excerpts' first byte."),
  task: excerpt,
  with: excerpt,
});
export type OutputDifference = z.output<typeof outputDifference>;

const perTask = z.object({ task: z.number().int(), with: z.number().int() });

export const streamComparison = z.object({
  same: z.boolean().describe("The bytes that were kept are the same, and as many were not kept."),
  bytes: perTask.describe("Bytes kept of each."),
  dropped_bytes: perTask.describe("Bytes of each that were not kept."),
  first_difference: outputDifference.nullable().describe("Null where the bytes that were kept are the same."),
});
export type StreamComparison = z.output<typeof streamComparison>;

/** Whether two tasks that are over did the same: how they ended, and every byte that they printed. */
export const comparison = z.object({
  task: z.string(),
  with: z.string(),
  same: z.boolean().describe("Outcome, standard output and standard error are the same."),
  same_spec: z.boolean().describe("Both have the same spec, by digest."),
  same_image: z.boolean().describe("Both ran the same image, by digest or id."),
  outcome: z.object({ same: z.boolean(), task: outcome, with: outcome }),
  stdout: streamComparison,
  stderr: streamComparison,
});
export type Comparison = z.output<typeof comparison>;
