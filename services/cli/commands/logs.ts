import type { LogEntry } from "../../../schemas/api/logEntry.ts";
import type { ApiClient, LogOptions } from "../../kernel/client/apiClient.ts";
import { CaziError } from "../../kernel/errors.ts";
import { type CliContext, connect } from "../context.ts";
import { exitCodes } from "../exitCode.ts";
import { printEntries } from "../output/printEntries.ts";
import { render } from "../output/render.ts";
import { timeOf } from "../timeOf.ts";

/** As many as the API gives at once: each page is a request, and a long output has many. */
const pageEntries = 10_000;
/** The most that a server of the version before gives. */
const olderPageEntries = 1_000;

export const logFormats = ["raw", "json", "jsonl", "yaml"] as const;

export interface LogsOptions {
  readonly follow?: true;
  readonly after?: string | undefined;
  readonly offset?: number | undefined;
  readonly tail?: number | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly grep?: string | undefined;
  readonly ignoreCase?: true;
  readonly attempt?: number | undefined;
  readonly stream?: "stdout" | "stderr" | undefined;
  readonly output: (typeof logFormats)[number];
}

/** Prints what a task printed: its bytes, or its entries as data. */
export async function logs(context: CliContext, id: string, options: LogsOptions): Promise<number> {
  const client = connect(context);
  const asked = selectionOf(options, context.clock.now());
  const batches = options.follow
    ? client.followTaskLogs(id, asked)
    : storedEntries(context, client, { id, asked });
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

/** What a caller of the API sends for the options. @throws Rejection `USAGE` for what is no time */
function selectionOf(options: LogsOptions, nowMs: number): Omit<LogOptions, "limit"> {
  const { after, offset, tail, since, until, grep, ignoreCase, attempt, stream } = options;
  return {
    ...{ after, offset, tail, grep, attempt, stream },
    // A time here, and not how long ago: later requests for more mean the same.
    since: since === undefined ? undefined : timeOf(since, nowMs),
    until: until === undefined ? undefined : timeOf(until, nowMs),
    ignore_case: ignoreCase,
  };
}

/** What there is now. With `tail` the first page is the last one; a search goes on over any number of pages. */
async function* storedEntries(
  context: CliContext,
  client: ApiClient,
  of: { readonly id: string; readonly asked: Omit<LogOptions, "limit"> },
): AsyncGenerator<readonly LogEntry[]> {
  const { tail, after, offset, since, ...lines } = of.asked;
  let start: LogOptions = { after, offset, since };
  let limit = pageEntries;
  const read = () =>
    client.getTaskLogs(of.id, { ...lines, ...(tail === undefined ? { ...start, limit } : { tail, since }) });
  for (;;) {
    const page = await read().catch((error: unknown) => {
      if (!(error instanceof CaziError && error.code === "REQUEST_INVALID") || limit === olderPageEntries)
        throw error;
      limit = olderPageEntries;
      return read();
    });
    yield page.data;
    if (tail !== undefined) {
      if (page.partial) await context.output.message("only the end of the output was looked through");
      return;
    }
    if (page.next_cursor === null || (page.data.length === 0 && !page.partial)) return;
    start = { after: page.next_cursor };
  }
}
