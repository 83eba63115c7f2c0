import { z } from "zod";
import { page, pageParameters } from "./page.ts";
import { severalOf, severalTexts, wholeNumber } from "./parameters.ts";
import { minSeq } from "./position.ts";
import { taskSummary } from "./task.ts";
import { taskStatus } from "./taskStatus.ts";
import { moment } from "./timestamp.ts";

/** A label to select by: `name` asks that it is there, `name=value` for that value. */
const labelSelector = z
  .string()
  .max(512)
  .regex(/^[A-Za-z0-9][A-Za-z0-9._/-]*(=.*)?$/, { error: "must be a label's name, or name=value" });

/** What a list of tasks can be narrowed by; every condition has to hold. */
export const taskFilters = {
  status: severalOf(taskStatus, 8).optional().describe("Only tasks of these statuses."),
  label: severalTexts(labelSelector, 16)
    .optional()
    .describe("Only tasks with all these labels: name, or name=value."),
  name: z.string().max(128).optional().describe("Only tasks of exactly this name."),
  image: z
    .string()
    .max(512)
    .optional()
    .describe("Only tasks whose spec names this image; without a tag, latest is meant."),
  node: z.string().max(63).optional().describe("Only tasks whose last attempt is or was on this node."),
  source: z.string().max(64).optional().describe('Only tasks of this source: "submit", or "replay:<id>".'),
  replay_of: z.string().max(26).optional().describe("Only replays of the task with this id."),
  reason: z
    .string()
    .max(64)
    .optional()
    .describe("Only tasks that ended for this reason: exit, signal, oom, timeout, node_lost and so on."),
  exit_code: wholeNumber({ min: 0, max: 255 }).optional().describe("Only tasks that ended with this code."),
  submitted_after: moment.optional().describe("Only tasks submitted at this time or later."),
  submitted_before: moment.optional().describe("Only tasks submitted before this time."),
  finished_after: moment.optional().describe("Only tasks that ended at this time or later."),
  finished_before: moment.optional().describe("Only tasks that ended before this time."),
};

export const listTasksQuery = z.strictObject({ ...pageParameters, ...taskFilters, min_seq: minSeq });
export type ListTasksQuery = z.output<typeof listTasksQuery>;

/** Newest first. */
export const taskPage = page(taskSummary);
