import { z } from "zod";
import { page } from "./page.ts";
import { flag, wholeNumber } from "./parameters.ts";
import { moment, timestamp } from "./timestamp.ts";

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

/** Of a page, which is bounded by bytes as well. */
export const logEntriesMax = 10_000;
export const tailEntriesMax = 1000;
export const grepCharsMax = 256;
export const offsetMax = 999_999_999_999_999;

/** A time, or how long ago. */
export const momentOrAgo = z.union([moment, z.string().regex(/^\d{1,7}[smhd]$/)], {
  error: "must be a time of RFC 3339, such as 2026-11-29T12:00:00Z, or how long ago: 90s, 10m, 2h or 1d",
});

/** Text to look for within lines. */
export const grepText = z
  .string()
  .min(1)
  .max(grepCharsMax)
  .regex(/^[^\r\n]*$/, { error: "must be text within one line" });

export const taskLogsQuery = z.strictObject({
  after: positionText.optional().describe("Only what comes after this position."),
  limit: wholeNumber({ min: 1, max: logEntriesMax })
    .default(200)
    .describe(`Entries a page, at most ${logEntriesMax}; 200 unless given.`),
  tail: wholeNumber({ min: 1, max: tailEntriesMax })
    .optional()
    .describe(
      "The last so many entries instead of the first ones. Not together with after, offset or until.",
    ),
  offset: wholeNumber({ min: 0, max: offsetMax })
    .optional()
    .describe(
      "Begin at this byte of `stream`, in `attempt` or else the last one; within a line, with the rest of it.",
    ),
  since: momentOrAgo
    .optional()
    .describe(
      "Only lines whose first bytes the node read at this time or later: RFC 3339, or how long ago, such as 10m. " +
        "It says where reading begins: further pages are asked for with after instead.",
    ),
  until: momentOrAgo
    .optional()
    .describe("Only lines read before this time; the same forms. Not together with tail or follow."),
  grep: grepText
    .optional()
    .describe(
      "Only lines that hold this text, as it is (no expression), after secrets were masked. Also when followed.",
    ),
  ignore_case: flag.default(false).describe("grep takes upper and lower case for the same."),
  attempt: wholeNumber({ min: 1, max: 1_000_000 })
    .optional()
    .describe("Only this attempt; unset: all of them."),
  stream: logStream.optional().describe("Only this stream; unset: both."),
  follow: flag.default(false).describe("Answer as server-sent events until the output ends."),
});
export type TaskLogsQuery = z.output<typeof taskLogsQuery>;

/**
 * Entries in the order in which they were stored. `next_cursor` is to be sent as `after`; it is null only when
 * the task is over and all its output was read, or all of it before `until`.
 */
export const logPage = page(logEntry).extend({
  partial: z
    .boolean()
    .describe(
      "True when as much output was looked through as one request may (32 MiB) before the page was full, so that it " +
        "may even be empty: go on with next_cursor. With tail: older lines were not looked through.",
    ),
});
export type LogPage = z.output<typeof logPage>;
