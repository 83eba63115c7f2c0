import { z } from "zod";
import { page, pageParameters } from "./page.ts";
import { minSeq } from "./position.ts";
import { taskStatus } from "./taskStatus.ts";
import { timestamp } from "./timestamp.ts";
import { who } from "./who.ts";

/** One fact of a task's history. */
export const taskEvent = z.object({
  id: z.string(),
  seq: z.number().int().positive().describe("Place in the ledger: grows along the history, with gaps."),
  task: z.string(),
  at: timestamp.describe("When it was written, by the writer's clock."),
  type: z
    .string()
    .describe("The transition: submitted, scheduled, claimed, pulling, running, succeeded and so on."),
  status: z.union([taskStatus, z.literal("erased")]).describe("The task's status after it."),
  attempt: z.number().int().nonnegative().nullable().describe("The attempt it belongs to or follows."),
  node: z.string().nullable(),
  traceparent: z
    .string()
    .nullable()
    .describe("W3C trace context; every event of a task is of the same trace."),
  who: who
    .nullable()
    .describe(
      "Who decided it: whoever asked; else `service:<role>` or `node:<name>` by the route `internal`. Null for some " +
        "events of earlier versions.",
    ),
  data: z
    .record(z.string(), z.unknown())
    .describe(
      "What the transition says beside this. Times in it are milliseconds since 1970, as in the ledger.",
    ),
});
export type ApiTaskEvent = z.output<typeof taskEvent>;

export const listTaskEventsQuery = z.strictObject({ ...pageParameters, min_seq: minSeq });
export type ListTaskEventsQuery = z.output<typeof listTaskEventsQuery>;

/** Oldest first. */
export const taskEventPage = page(taskEvent);
