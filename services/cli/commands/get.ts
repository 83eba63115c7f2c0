import { type CliContext, connect } from "../context.ts";
import { exitCodes } from "../exitCode.ts";
import { attemptsText } from "../output/attemptsText.ts";
import { type Format, render } from "../output/render.ts";
import { sinksText } from "../output/sinksText.ts";
import { taskFields } from "../output/taskFields.ts";

/** Prints one task. */
export async function get(
  context: CliContext,
  id: string,
  options: { readonly output: Format },
): Promise<number> {
  const task = await connect(context).getTask(id);
  await context.output.data(
    await render(options.output, {
      value: task,
      table: () => taskFields(task) + attemptsText(task.attempts) + sinksText(task.sinks),
    }),
  );
  return exitCodes.ok;
}
