import { type CliContext, connect } from "../context.ts";
import { exitCodes } from "../exitCode.ts";
import { type Format, render } from "../output/render.ts";
import { taskFields } from "../output/taskFields.ts";

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
