import { type CliContext, connect } from "../context.ts";
import { exitCodes } from "../exitCode.ts";
import { type Format, render } from "../output/render.ts";
import { taskFields } from "../output/taskFields.ts";
import { type BulkOptions, bulk } from "./bulk.ts";
import { requireOneOrMany } from "./filtersOf.ts";

/** Asks to cancel a task; its node stops it a little later where it already runs. */
export async function cancel(
  context: CliContext,
  id: string,
  options: { readonly reason?: string; readonly output: Format },
): Promise<number> {
  const task = await connect(context).cancelTask(id, options.reason ?? null);
  await context.output.data(await render(options.output, { value: task, table: () => taskFields(task) }));
  return exitCodes.ok;
}

export interface CancelOptions extends Omit<BulkOptions, "reason"> {
  readonly reason?: string;
}

/** Of one task by its id, or of all that match. @throws Rejection `USAGE` for both or neither */
export async function cancelOneOrMany(
  context: CliContext,
  id: string | undefined,
  { reason, ...options }: CancelOptions,
): Promise<number> {
  requireOneOrMany(id, options);
  if (id === undefined) return bulk(context, "cancel", { ...options, cancelReason: reason });
  return cancel(context, id, { output: options.output, ...(reason === undefined ? {} : { reason }) });
}
