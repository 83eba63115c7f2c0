import { type CliContext, connect } from "../context.ts";
import { exitCodes } from "../exitCode.ts";
import { render } from "../output/render.ts";
import { printWarnings, type SubmitOptions } from "./submit.ts";

/** Runs a task's exact spec again as a new task and prints the new id. */
export async function replay(context: CliContext, id: string, options: SubmitOptions): Promise<number> {
  const task = await connect(context).replayTask(id, { idempotencyKey: options.idempotencyKey });
  await printWarnings(context.output, task.warnings);
  await context.output.data(await render(options.output, { value: task, table: () => `${task.id}\n` }));
  return exitCodes.ok;
}
