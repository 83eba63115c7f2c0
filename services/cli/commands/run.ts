import { type CliContext, connect } from "../context.ts";
import { followTask } from "./followTask.ts";
import { readSpecFile } from "./readSpecFile.ts";
import { printWarnings } from "./submit.ts";

export interface RunOptions {
  readonly detachOnInterrupt?: true;
  readonly quiet?: true;
  readonly idempotencyKey?: string;
}

/** Submits a spec, prints what the task prints, exits as the task does. */
export async function run(context: CliContext, file: string, options: RunOptions): Promise<number> {
  const client = connect(context);
  const spec = await readSpecFile(context, file);
  const submit = async () => {
    const task = await client.submitTask(spec, { idempotencyKey: options.idempotencyKey });
    await printWarnings(context.output, task.warnings);
    if (context.output.stderrIsTerminal && !options.quiet) await context.output.message(`task ${task.id}`);
    return task;
  };
  const quiet = options.quiet === true;
  return followTask(context, client, submit, {
    detachOnInterrupt: options.detachOnInterrupt === true,
    quiet,
  });
}
