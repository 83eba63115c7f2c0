import { randomUUID } from "node:crypto";
import { createInterface } from "node:readline/promises";
import type { BulkAction, BulkPreview, BulkResult } from "../../../schemas/api/bulk.ts";
import { Rejection } from "../../kernel/errors.ts";
import { type CliContext, connect } from "../context.ts";
import { exitCodes } from "../exitCode.ts";
import { bulkDone, bulkText } from "../output/bulkText.ts";
import { type Format, render } from "../output/render.ts";
import { type FilterOptions, filtersOf } from "./filtersOf.ts";

export interface BulkOptions extends FilterOptions {
  readonly yes?: true;
  readonly dryRun?: true;
  readonly reason?: string;
  readonly idempotencyKey?: string;
  readonly output: Format;
}

/**
 * Shows what an action would be done to, asks, and does it to exactly that.
 * @param cancelReason recorded with each cancel
 * @returns 0 done (or nothing matches, or only looked), 1 when it failed for some, 2 when nobody could be asked
 */
export async function bulk(
  context: CliContext,
  action: BulkAction,
  options: BulkOptions & { readonly cancelReason?: string | undefined },
): Promise<number> {
  const client = connect(context);
  const filter = filtersOf(options, context.clock.now());
  const preview = await client.previewBulk(action, filter);
  if (options.dryRun || preview.count === 0 || !options.yes) await show(context, preview, options);
  if (options.dryRun || preview.count === 0) return exitCodes.ok;
  if (!options.yes && !(await agreed(context, preview))) return exitCodes.ok;
  return act(context, preview, options);
}

/** A preview is data where it is the end of the command, and a message where more follows. */
async function show(
  context: CliContext,
  preview: BulkPreview,
  { output, dryRun, yes }: BulkOptions,
): Promise<void> {
  const text = bulkText(preview);
  if (dryRun && !yes) await context.output.data(await render(output, { value: preview, table: () => text }));
  else await context.output.message(text.trimEnd());
}

/** @throws Rejection `USAGE` where there is nobody to ask */
async function agreed(context: CliContext, { action, count }: BulkPreview): Promise<boolean> {
  const { stdin, stderr, output } = context;
  if (!output.stderrIsTerminal || (stdin as { isTTY?: boolean }).isTTY !== true) {
    throw new Rejection("USAGE", "nothing was done: there is no terminal to ask on", {
      hint: "Add --yes to do it, or --dry-run to only look.",
    });
  }
  const asking = createInterface({ input: stdin, output: stderr });
  try {
    const what = `${action === "cancel" ? "Cancel" : "Replay"} ${count === 1 ? "this task" : `these ${count} tasks`}?`;
    const yes = /^y(es)?$/i.test((await asking.question(`${what} [y/N] `)).trim());
    if (!yes) await output.message("nothing was done");
    return yes;
  } finally {
    asking.close();
  }
}

async function act(
  context: CliContext,
  { action, selection }: BulkPreview,
  options: BulkOptions & { readonly cancelReason?: string | undefined },
): Promise<number> {
  const client = connect(context);
  const { idempotencyKey = randomUUID(), cancelReason } = options;
  const results: BulkResult[] = [];
  let cursor: string | undefined;
  try {
    do {
      const page = await client.actInBulk(
        { selection, cursor, reason: cancelReason ?? null },
        { idempotencyKey },
      );
      results.push(...page.results);
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
  } catch (error) {
    await context.output.message(`${bulkDone(action, results)}, then it broke off`);
    if (action === "replay") {
      await context.output.message(
        `the same command with --idempotency-key ${idempotencyKey} goes on and doubles nothing`,
      );
    }
    throw error;
  }
  const ids = () => results.flatMap(({ replay }) => (replay === null ? [] : [`${replay}\n`])).join("");
  await context.output.data(await render(options.output, { value: results, items: results, table: ids }));
  for (const { id, message } of results.filter((one) => one.outcome === "failed")) {
    await context.output.message(`${id}: ${message}`);
  }
  await context.output.message(bulkDone(action, results));
  return results.some((one) => one.outcome === "failed") ? exitCodes.failure : exitCodes.ok;
}
