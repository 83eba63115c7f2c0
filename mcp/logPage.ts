/** A page of a task's log that fits a result; the tool and the resource of it are the same. */
import { z } from "zod";
import { logEntry } from "../schemas/api/logEntry.ts";
import type { ApiClient, LogOptions } from "../services/kernel/client/apiClient.ts";
import { capEntries } from "./capEntries.ts";
import { resultCharsMax, resultFrameChars } from "./limits.ts";

const shownEntry = logEntry.omit({ base64: true }).extend({
  text_truncated: z.boolean().describe("True when text is only the beginning of a very long line."),
});

export const fittingLogPage = z.object({
  data: z.array(shownEntry),
  next_cursor: z
    .string()
    .nullable()
    .describe("Ask with it for what comes after; null when there is no more."),
  truncated: z
    .boolean()
    .describe("True when lines or parts of lines were left out because they are too long."),
});

/** @param charsMax characters of the entries' JSON */
export async function readFittingLogPage(
  client: ApiClient,
  id: string,
  part: LogOptions,
  charsMax = resultCharsMax - resultFrameChars,
): Promise<z.output<typeof fittingLogPage>> {
  const page = await client.getTaskLogs(id, part);
  const keep = part.tail === undefined ? "first" : "last";
  const { data, truncated } = capEntries(page.data, { charsMax, keep });
  const cut = part.tail === undefined && data.length < page.data.length;
  return { data, truncated, next_cursor: cut ? (data.at(-1)?.position ?? null) : page.next_cursor };
}
