import { z } from "zod";
import { logEntry, logStream } from "../../schemas/api/logEntry.ts";
import { capEntries } from "../capEntries.ts";
import { resultCharsMax, resultFrameChars } from "../limits.ts";
import { taskId } from "../taskResult.ts";
import { defineTool, reads } from "../toolDefinition.ts";

const shownEntry = logEntry.omit({ base64: true }).extend({
  text_truncated: z.boolean().describe("True when text is only the beginning of a very long line."),
});

export const getTaskLogs = defineTool({
  name: "get_task_logs",
  title: "Get a task's log",
  description:
    "Returns lines that a task printed, stdout and stderr in the order in which they were stored, also while it runs. For more, call again with next_cursor as cursor; next_cursor is null when the task is over and all was read. Use tail for the end of a long log, such as why it failed. Changes nothing.",
  annotations: reads,
  inputSchema: z.strictObject({
    id: taskId,
    cursor: z
      .string()
      .max(64)
      .optional()
      .describe("next_cursor of the answer before. Not together with tail."),
    limit: z.number().int().min(1).max(1000).default(200).describe("At most so many lines."),
    tail: z.number().int().min(1).max(1000).optional().describe("The last so many lines instead."),
    stream: logStream.optional().describe("Only this stream; unset: both."),
    attempt: z.number().int().min(1).max(1_000_000).optional().describe("Only this attempt; unset: all."),
  }),
  outputSchema: z.object({
    data: z.array(shownEntry),
    next_cursor: z
      .string()
      .nullable()
      .describe("Ask with it for what comes after; null when there is no more."),
    truncated: z
      .boolean()
      .describe("True when lines or parts of lines were left out because they are too long."),
  }),
  handler: async (client, { id, cursor, limit, tail, stream, attempt }) => {
    const part = tail === undefined ? { after: cursor, limit } : { after: cursor, tail };
    const page = await client.getTaskLogs(id, { ...part, stream, attempt });
    const charsMax = resultCharsMax - resultFrameChars;
    const { data, truncated } = capEntries(page.data, {
      charsMax,
      keep: tail === undefined ? "first" : "last",
    });
    const cut = tail === undefined && data.length < page.data.length;
    return { data, truncated, next_cursor: cut ? (data.at(-1)?.position ?? null) : page.next_cursor };
  },
});
