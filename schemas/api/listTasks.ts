import { z } from "zod";
import { page, pageParameters } from "./page.ts";
import { severalOf, severalTexts } from "./parameters.ts";
import { taskSummary } from "./task.ts";
import { taskStatus } from "./taskStatus.ts";

/** A label to select by: `name` asks that it is there, `name=value` for that value. */
const labelSelector = z
  .string()
  .max(512)
  .regex(/^[A-Za-z0-9][A-Za-z0-9._/-]*(=.*)?$/, { error: "must be a label's name, or name=value" });

export const listTasksQuery = z.strictObject({
  ...pageParameters,
  status: severalOf(taskStatus, 8).optional().describe("Only tasks of these statuses."),
  label: severalTexts(labelSelector, 16)
    .optional()
    .describe("Only tasks with all these labels: name, or name=value."),
  name: z.string().max(128).optional().describe("Only tasks of exactly this name."),
});
export type ListTasksQuery = z.output<typeof listTasksQuery>;

/** Newest first. */
export const taskPage = page(taskSummary);
