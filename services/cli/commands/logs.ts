import type { LogEntry } from "../../../schemas/api/logEntry.ts";
import type { ApiClient } from "../../kernel/client/apiClient.ts";
import { type CliContext, connect } from "../context.ts";
import { exitCodes } from "../exitCode.ts";
import { printEntries } from "../output/printEntries.ts";
import { render } from "../output/render.ts";

export const logFormats = ["raw", "json", "jsonl", "yaml"] as const;

export interface LogsOptions {
  readonly follow?: true;
  readonly after?: string | undefined;
  readonly tail?: number | undefined;
  readonly attempt?: number | undefined;
  readonly stream?: "stdout" | "stderr" | undefined;
  readonly output: (typeof logFormats)[number];
}

/** Prints what a task printed: its bytes, or its entries as data. */
export async function logs(context: CliContext, id: string, options: LogsOptions): Promise<number> {
  const client = connect(context);
  const { after, tail, attempt, stream } = options;
  const asked = { after, tail, attempt, stream };
  const batches = options.follow ? client.followTaskLogs(id, asked) : storedEntries(client, id, asked);
  if (options.output === "json" || options.output === "yaml") {
    const value: LogEntry[] = [];
    for await (const entries of batches) value.push(...entries);
    await context.output.data(await render(options.output, { value, table: () => "" }));
    return exitCodes.ok;
  }
  for await (const entries of batches) {
    if (options.output === "raw") await printEntries(context.output, entries);
    else await context.output.data(entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
  }
  return exitCodes.ok;
}

/** What there is now. With `tail` the first page is the last one. */
async function* storedEntries(
  client: ApiClient,
  id: string,
  asked: Pick<LogsOptions, "after" | "tail" | "attempt" | "stream">,
): AsyncGenerator<readonly LogEntry[]> {
  const { tail, ...query } = asked;
  let after = query.after;
  for (;;) {
    const page = await client.getTaskLogs(id, {
      ...query,
      ...(tail === undefined ? { after, limit: 1000 } : { tail }),
    });
    yield page.data;
    if (tail !== undefined || page.data.length === 0 || page.next_cursor === null) return;
    after = page.next_cursor;
  }
}
