/** Doing one thing to many tasks: first a look at which, then the act on exactly those. */
import { z } from "zod";
import { taskFilters } from "./listTasks.ts";
import { wholeNumber } from "./parameters.ts";
import { taskSummary } from "./task.ts";

/** Larger selections are to be narrowed: nobody looks through so many before saying yes. */
export const bulkTasksMax = 10_000;
/** How many of the tasks a preview shows. */
export const bulkShownMax = 10;
export const bulkPageMax = 200;

export const bulkAction = z
  .enum(["cancel", "replay"])
  .describe("cancel: tasks that are not over; replay: those that are, each as a new task.");
export type BulkAction = z.output<typeof bulkAction>;

const isGiven = (value: unknown) => value !== undefined && !(Array.isArray(value) && value.length === 0);

export const bulkFilter = z
  .strictObject(taskFilters)
  .refine((filter) => Object.values(filter).some(isGiven), { error: "must name at least one condition" })
  .describe("The conditions of list_tasks; every one has to hold, and there has to be one.");
export type BulkFilter = z.output<typeof bulkFilter>;

export const bulkPreviewBody = z.strictObject({ action: bulkAction, filter: bulkFilter });

export const bulkPreview = z.object({
  action: bulkAction,
  count: z.number().int().nonnegative().describe("How many tasks it would be done to."),
  tasks: z.array(taskSummary).describe(`The newest ${bulkShownMax} of them.`),
  selection: z
    .string()
    .describe("Stands for exactly these tasks: what comes later or changes is not added. Say it to act."),
});
export type BulkPreview = z.output<typeof bulkPreview>;

export const bulkBody = z.strictObject({
  selection: z.string().max(8192).describe("What a preview gave."),
  cursor: z.string().max(512).optional().describe("next_cursor of the call before."),
  limit: wholeNumber({ min: 1, max: bulkPageMax })
    .default(100)
    .describe(`Tasks a call, at most ${bulkPageMax}.`),
  reason: z
    .string()
    .max(1024)
    .nullable()
    .default(null)
    .describe("Of a cancel: why, for whoever reads the record."),
});
export type BulkBody = z.output<typeof bulkBody>;

export const bulkOutcome = z
  .enum(["cancelled", "cancel_requested", "already_over", "replayed", "repeated", "failed"])
  .describe(
    "cancelled: over at once; cancel_requested: its node stops it; already_over: it ended before; replayed: a new task; " +
      "repeated: an earlier call with this key made that task; failed: code says why.",
  );

export const bulkResult = z.object({
  id: z.string(),
  outcome: bulkOutcome,
  replay: z.string().nullable().describe("Id of the new task of a replay."),
  code: z.string().nullable(),
  message: z.string().nullable(),
});
export type BulkResult = z.output<typeof bulkResult>;

export const bulkPage = z.object({
  action: bulkAction,
  results: z.array(bulkResult).describe("One a task, newest first."),
  next_cursor: z.string().nullable().describe("Ask with it to go on; null when all is done."),
});
export type BulkPage = z.output<typeof bulkPage>;
