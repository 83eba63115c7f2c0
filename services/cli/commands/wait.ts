import { type CliContext, connect } from "../context.ts";
import { exitCodes, taskExitCode } from "../exitCode.ts";
import { endMessage } from "../output/endMessage.ts";
import { type Format, render } from "../output/render.ts";
import { taskFields } from "../output/taskFields.ts";
import { noticeWaiting } from "./noticeWaiting.ts";
import { isOver, waitForEnd } from "./waitForEnd.ts";

/** Waits for a task's end and exits as the task did; prints the task when a format is asked for. */
export async function wait(
  context: CliContext,
  id: string,
  options: { readonly timeout?: number; readonly output?: Format },
): Promise<number> {
  const limit = options.timeout === undefined ? {} : { limitMs: options.timeout * 1000 };
  const client = connect(context);
  const done = new AbortController();
  void noticeWaiting(context, client, id, done.signal);
  const task = await waitForEnd(client, id, { clock: context.clock, ...limit }).finally(() => done.abort());
  if (options.output !== undefined) {
    await context.output.data(await render(options.output, { value: task, table: () => taskFields(task) }));
  }
  const message = isOver(task) ? endMessage(task) : `task ${id} is ${task.status} after ${options.timeout} s`;
  if (message !== null) await context.output.message(message);
  return isOver(task) ? taskExitCode(task) : exitCodes.taskUnknown;
}
