/** What is said about one task: which one, how long to wait, why to cancel. */
import { z } from "zod";
import { wholeNumber } from "./parameters.ts";
import { minSeq } from "./position.ts";

export const waitSecondsMax = 50;

export const taskParams = z.object({
  id: z
    .string()
    .regex(/^[0-9a-hjkmnp-tv-z]{26}$/, { error: "must be a task's id" })
    .describe("A task's id."),
});

export const getTaskQuery = z.strictObject({
  wait: wholeNumber({ min: 0, max: waitSecondsMax })
    .default(0)
    .describe(`Answer when the task is over, or after so many seconds, at most ${waitSecondsMax}.`),
  min_seq: minSeq,
});

export const cancelTask = z.strictObject({
  reason: z.string().max(1024).nullable().default(null).describe("Why, for whoever reads the record."),
});

export const erasedTask = z.object({
  id: z.string(),
  sinks_given_up: z
    .number()
    .int()
    .min(0)
    .describe(
      "How many sinks its output had not gone to, and never will; a try that is under way may still arrive.",
    ),
});
export type ErasedTask = z.output<typeof erasedTask>;
