import { z } from "zod";
import { logStream } from "./logEntry.ts";
import { wholeNumber } from "./parameters.ts";
import { taskStatus } from "./taskStatus.ts";

/** A task's standard output, parsed as its spec says. What cannot be parsed leaves the task's outcome alone. */
export const taskOutput = z.object({
  task: z.string(),
  status: taskStatus,
  attempt: z.number().int().nonnegative(),
  exit_code: z.number().int().nullable(),
  format: z.enum(["text", "ndjson", "json", "markdown"]).describe("The spec's output_format."),
  value: z
    .unknown()
    .describe(
      "text, markdown: the text; json: the value; ndjson: a list of values; null where it cannot be parsed.",
    ),
  parse_error: z
    .object({ message: z.string(), line: z.number().int().positive().nullable() })
    .nullable()
    .describe("Why value is null, or which line of ndjson ended the list."),
  text: z.string().nullable().describe("The beginning of the output as text, where it could not be parsed."),
  bytes: z.number().int().nonnegative().describe("Bytes of standard output that were kept."),
  dropped_bytes: z.number().int().nonnegative().describe("Bytes beyond the spec's max_output_bytes."),
  truncated: z.boolean().describe("True when value is not made from all that was printed: beyond a cap."),
  complete: z.boolean().describe("True when the task is over and all its output was read."),
});
export type TaskOutput = z.output<typeof taskOutput>;

export const rawOutputQuery = z.strictObject({
  stream: logStream.default("stdout").describe("Unset: stdout."),
  attempt: wholeNumber({ min: 1, max: 1_000_000 }).optional().describe("Unset: the last attempt."),
});
export type RawOutputQuery = z.output<typeof rawOutputQuery>;
