import { z } from "zod";
import { timestamp } from "./timestamp.ts";

/** What becomes of one of a task's output sinks. */
export const sinkView = z.object({
  id: z.string().describe("Its name, or its place and type."),
  type: z.enum(["webhook", "s3", "file", "task"]),
  status: z
    .enum(["waiting", "delivered", "failed", "skipped"])
    .describe("skipped: it is not for this end of the task."),
  tries: z.number().int().nonnegative().nullable().describe("How often it was tried, where it has failed."),
  message: z.string().nullable().describe("Why it failed. `cazi dead` lists it, and sends it again."),
  receipt: z
    .string()
    .nullable()
    .describe("What tells that it is there: the answer, the object, the file, or the task's id."),
  settled_at: timestamp.nullable(),
});
export type SinkView = z.output<typeof sinkView>;
