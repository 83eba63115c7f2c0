import type { Task } from "../../../schemas/api/task.ts";
import { Rejection } from "../../kernel/errors.ts";
import { type CliContext, connect } from "../context.ts";
import { exitCodes } from "../exitCode.ts";
import { comparisonText } from "../output/comparisonText.ts";
import { endMessage } from "../output/endMessage.ts";
import { render } from "../output/render.ts";
import { type BulkOptions, bulk } from "./bulk.ts";
import { requireOneOrMany } from "./filtersOf.ts";
import { printWarnings, type SubmitOptions } from "./submit.ts";
import { isOver, waitForEnd } from "./waitForEnd.ts";

export interface ReplayOptions extends SubmitOptions {
  readonly verify?: true;
}

/** Of one task by its id, or of all that match. @throws Rejection `USAGE` for both or neither */
export async function replayOneOrMany(
  context: CliContext,
  id: string | undefined,
  options: ReplayOptions & BulkOptions,
): Promise<number> {
  requireOneOrMany(id, options);
  if (id !== undefined) return replay(context, id, options);
  if (options.verify) throw new Rejection("USAGE", "--verify is for one task");
  return bulk(context, "replay", options);
}

/** Runs a task's exact spec again as a new task and prints the new id, or how the two compare. */
export async function replay(context: CliContext, id: string, options: ReplayOptions): Promise<number> {
  const client = connect(context);
  if (options.verify) requireEnd(await client.getTask(id));
  const task = await client.replayTask(id, { idempotencyKey: options.idempotencyKey });
  await printWarnings(context.output, task.warnings);
  if (options.verify) return verify(context, { original: id, replay: task.id }, options);
  await context.output.data(await render(options.output, { value: task, table: () => `${task.id}\n` }));
  return exitCodes.ok;
}

const RAN_OUT_OF_TIME: ReadonlySet<string> = new Set(["timeout", "oom"]);

/** Asked before anything runs: nothing could be compared with it. */
function requireEnd(task: Task): void {
  if (isOver(task)) return;
  throw new Rejection(
    "TASK_NOT_ENDED",
    `task ${task.id} is ${task.status}, so there is nothing to compare with`,
    {
      hint: `Wait for its end with \`cazi wait ${task.id}\`, then verify.`,
    },
  );
}

/** Waits for the replay's end. @returns 0 the same, 1 different, 125 when it never ran */
async function verify(
  context: CliContext,
  ids: { readonly original: string; readonly replay: string },
  options: ReplayOptions,
): Promise<number> {
  const client = connect(context);
  if (context.output.stderrIsTerminal) await context.output.message(`waiting for task ${ids.replay}`);
  const ended = await waitForEnd(client, ids.replay, { clock: context.clock });
  // Cancelled, blocked, never placed or never started: it has no end of its own to compare.
  if (ended.exit_code === null && ended.signal === null && !RAN_OUT_OF_TIME.has(ended.reason ?? "")) {
    await context.output.message(endMessage(ended) ?? `task ${ids.replay} never ran`);
    return exitCodes.taskUnknown;
  }
  const value = await client.compareTasks(ids.replay, ids.original);
  await context.output.data(await render(options.output, { value, table: () => comparisonText(value) }));
  return value.same ? exitCodes.ok : exitCodes.failure;
}
