import type { SubmittedTask } from "../../../schemas/api/submittedTask.ts";
import { type CliContext, connect } from "../context.ts";
import { exitCodes } from "../exitCode.ts";
import type { Output } from "../output/output.ts";
import { type Format, render } from "../output/render.ts";
import { readSpecFile } from "./readSpecFile.ts";

export interface SubmitOptions {
  readonly idempotencyKey?: string;
  readonly output: Format;
}

/** Submits a spec and prints the new task's id. */
export async function submit(context: CliContext, file: string, options: SubmitOptions): Promise<number> {
  const client = connect(context);
  const spec = await readSpecFile(context, file);
  const task = await client.submitTask(spec, { idempotencyKey: options.idempotencyKey });
  await printWarnings(context.output, task.warnings);
  await context.output.data(await render(options.output, { value: task, table: () => `${task.id}\n` }));
  return exitCodes.ok;
}

/** What is allowed in a spec and probably not wanted. */
export async function printWarnings(output: Output, warnings: SubmittedTask["warnings"]): Promise<void> {
  for (const { pointer, message } of warnings) await output.message(`warning: ${pointer} ${message}`);
}
