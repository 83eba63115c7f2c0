import { z } from "zod";
import { image, logCounts, pull } from "./attemptParts.ts";
import { page, pageParameters } from "./page.ts";
import { minSeq } from "./position.ts";
import { timestamp } from "./timestamp.ts";

/** One try of a task. Of the last one these facts are the task's own too. */
export const attempt = z.object({
  attempt: z.number().int().positive().describe("1 is the first."),
  fence: z.string().describe("Tells the attempt from any other, also after a repair of the ledger."),
  node: z.string().nullable(),
  ended_by: z
    .enum(["returned", "retrying", "succeeded", "failed", "cancelled"])
    .nullable()
    .describe(
      "The event that ended it; null while it is under way. returned: the node did not take it; retrying: another one follows.",
    ),
  reason: z
    .string()
    .nullable()
    .describe("Why: exit, signal, oom, timeout, image_pull, node_lost, declined, offer_expired and so on."),
  message: z.string().nullable().describe("The reason in more words, where there are any."),
  uses_retry: z.boolean().describe("Whether it counted against max_retries; what never started does not."),
  not_before: timestamp.nullable().describe("The attempt after it is not to start before this."),
  scheduled_at: timestamp.nullable().describe("When it was given to the node."),
  claimed_at: timestamp.nullable().describe("When the node was told that it may start."),
  started_at: timestamp.nullable().describe("When its command started, by the node's clock."),
  finished_at: timestamp.nullable(),
  exit_code: z.number().int().nullable(),
  signal: z.number().int().nullable().describe("Number of the signal that ended it."),
  oom_killed: z.boolean(),
  image: image.nullable().describe("What it ran; null where nothing ran."),
  logs: logCounts.nullable().describe("What it printed, known when it has ended."),
  pull: pull.nullable().describe("Null where nothing was pulled for it."),
});
export type Attempt = z.output<typeof attempt>;

/** Of the attempts that a task shows of itself; `/attempts` has all. */
export const attemptsShownMax = 10;

export const listAttemptsQuery = z.strictObject({ ...pageParameters, min_seq: minSeq });
export type ListAttemptsQuery = z.output<typeof listAttemptsQuery>;

/** Oldest first. */
export const attemptPage = page(attempt);
