import { z } from "zod";
import { grepText, logStream, momentOrAgo, offsetMax } from "../../schemas/api/logEntry.ts";
import { logPageWords } from "../apiWords.ts";
import { fittingLogPage, readFittingLogPage } from "../logPage.ts";
import { taskId } from "../taskResult.ts";
import { defineTool, reads } from "../toolDefinition.ts";

export const getTaskLogs = defineTool({
  name: "get_task_logs",
  title: "Get a task's log",
  description:
    "Returns lines that a task printed, stdout and stderr in the order in which they were stored, also while it runs. For more, call again with next_cursor as cursor; next_cursor is null when the task is over and all was read. Use tail for the end of a long log, such as why it failed; grep, since and until to look for lines. Changes nothing.",
  annotations: reads,
  apiWords: logPageWords,
  inputSchema: z.strictObject({
    id: taskId,
    cursor: z
      .string()
      .max(64)
      .optional()
      .describe("next_cursor of the answer before. Not together with tail."),
    limit: z.number().int().min(1).max(1000).default(200).describe("At most so many lines."),
    tail: z.number().int().min(1).max(1000).optional().describe("The last so many lines instead."),
    since: momentOrAgo
      .optional()
      .describe("Only lines read since: RFC 3339, or how long ago, such as 10m. Not together with cursor."),
    until: momentOrAgo.optional().describe("Only lines read before; the same forms. Not together with tail."),
    grep: grepText
      .optional()
      .describe("Only lines that hold this text, as it is. Give it again with each cursor."),
    ignore_case: z.boolean().default(false).describe("grep takes upper and lower case for the same."),
    offset: z
      .number()
      .int()
      .min(0)
      .max(offsetMax)
      .optional()
      .describe(
        "Begin at this byte of stream, which must be given. Not together with cursor, tail or since.",
      ),
    stream: logStream.optional().describe("Only this stream; unset: both."),
    attempt: z.number().int().min(1).max(1_000_000).optional().describe("Only this attempt; unset: all."),
  }),
  outputSchema: fittingLogPage,
  handler: (client, { id, cursor, limit, ...asked }) => {
    const part = asked.tail === undefined ? { after: cursor, limit } : { after: cursor };
    return readFittingLogPage(client, id, { ...part, ...asked, ignore_case: asked.ignore_case || undefined });
  },
});
