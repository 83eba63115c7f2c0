import { z } from "zod";
import { page, pageParameters } from "./page.ts";
import { timestamp } from "./timestamp.ts";

/** A message that could not be handled, kept for a person. */
export const deadLetter = z.object({
  id: z.string().describe("Its place among the dead letters; another one when it was sent again in vain."),
  kind: z.enum(["report", "sink"]).describe("What it is of: a node's report, or the sink of a task."),
  at: timestamp,
  reason: z.string(),
  tenant: z.string().nullable().describe("Null where nobody can tell whose it is."),
  task: z.string().nullable(),
  sink: z.string().nullable(),
  node: z.string().nullable().describe("Of a report: who sent it."),
  resending: z.boolean().describe("Somebody had it sent again, and it is under way."),
  bytes: z.number().int().nonnegative().describe("Of the message."),
});
export type ApiDeadLetter = z.output<typeof deadLetter>;

export const deadLetterWhole = deadLetter.extend({
  text: z.string().nullable().describe("The message, where it is text."),
  base64: z.string().nullable().describe("The message, where it is none."),
});
export type ApiDeadLetterWhole = z.output<typeof deadLetterWhole>;

export const deadLetterPage = page(deadLetter);
export const listDeadLettersQuery = z.strictObject(pageParameters);
export const deadLetterParams = z.strictObject({
  id: z
    .string()
    .regex(/^[1-9]\d{0,14}$/)
    .describe("The dead letter's id."),
});
