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
  partial: z
    .boolean()
    .describe(
      "True when a search ended before the page was full, as one call looks through 32 MiB: go on with next_cursor, even when there are no lines. With tail: older lines were not looked through.",
    ),
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
  // A server of an earlier version looks through all there is, and does not say so.
  const partial = page.partial ?? false;
  return { data, truncated, partial, next_cursor: cut ? (data.at(-1)?.position ?? null) : page.next_cursor };
}
