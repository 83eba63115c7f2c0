import { z } from "zod";
import { page } from "./page.ts";
import { flag, wholeNumber } from "./parameters.ts";
import { timestamp } from "./timestamp.ts";

/** One of a container's two output streams. */
export const logStream = z.enum(["stdout", "stderr"]);

/** `attempt.stdoutOffset.stderrOffset`: all before these bytes of the attempt has been read. */
const positionText = z
  .string()
  .regex(/^\d{1,9}\.\d{1,15}\.\d{1,15}$/, { error: "must be the position of a log entry, such as 1.120.0" });

/**
 * One line of output. `text`, its `ending` and nothing else make up the bytes, so that the entries of a stream
 * put together are the stream: a newline follows where `ending` is `newline`.
 */
export const logEntry = z.object({
  position: positionText.describe(
    "Where reading goes on after this entry: attempt.stdoutOffset.stderrOffset.",
  ),
  attempt: z.number().int().positive(),
  stream: logStream,
  time: timestamp.describe("When the node read the line's first bytes."),
  type: z
    .enum(["line", "truncated", "gap"])
    .describe("truncated: what came after was beyond the cap and was not kept; gap: bytes are missing here."),
  text: z.string().describe("The line without its newline; bytes that are not UTF-8 read as U+FFFD."),
  base64: z.string().optional().describe("The line's very bytes, only where they are not UTF-8."),
  ending: z
    .enum(["newline", "cut", "end"])
    .describe(
      "newline: a newline followed; cut: the line goes on in this stream's next entry; end: output ended here.",
    ),
  dropped_bytes: z.number().int().nonnegative().describe("Bytes that are not there; 0 in a line."),
});
export type LogEntry = z.output<typeof logEntry>;

export const logEntriesMax = 1000;

export const taskLogsQuery = z.strictObject({
  after: positionText.optional().describe("Only what comes after this position."),
  limit: wholeNumber({ min: 1, max: logEntriesMax })
    .default(200)
    .describe(`Entries a page, at most ${logEntriesMax}; 200 unless given.`),
  tail: wholeNumber({ min: 1, max: logEntriesMax })
    .optional()
    .describe("The last so many entries instead of the first ones. Not together with after."),
  attempt: wholeNumber({ min: 1, max: 1_000_000 })
    .optional()
    .describe("Only this attempt; unset: all of them."),
  stream: logStream.optional().describe("Only this stream; unset: both."),
  follow: flag.default(false).describe("Answer as server-sent events until the output ends."),
});
export type TaskLogsQuery = z.output<typeof taskLogsQuery>;

/**
 * Entries in the order in which they were stored. `next_cursor` is to be sent as `after`; it is null only when
 * the task is over and all its output was read.
 */
export const logPage = page(logEntry);
