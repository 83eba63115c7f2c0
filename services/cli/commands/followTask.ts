/** The part of `run` after the submit: output, interrupts, and the end. */
import { stopSignals } from "../../../deploy/stopSignals.ts";
import type { Task } from "../../../schemas/api/task.ts";
import type { ApiClient } from "../../kernel/client/apiClient.ts";
import { CaziError } from "../../kernel/errors.ts";
import type { CliContext } from "../context.ts";
import { exitCodes, taskExitCode } from "../exitCode.ts";
import { endMessage } from "../output/endMessage.ts";
import { ReaderGone } from "../output/output.ts";
import { printEntries } from "../output/printEntries.ts";
import { noticeWaiting } from "./noticeWaiting.ts";
import { waitForEnd } from "./waitForEnd.ts";

export interface FollowTaskOptions {
  /** Ctrl-C leaves the task running. */
  readonly detachOnInterrupt: boolean;
  /** No messages about the end or about waiting. */
  readonly quiet: boolean;
}

/**
 * Submits by `submit`, prints what the task prints, and gives its exit code. The first interrupt cancels the task
 * (or leaves it), the second ends this process. A reader of stdout that left counts as an interrupt: so `| head`
 * ends an endless task, as it ends an endless program.
 */
export async function followTask(
  context: CliContext,
  client: ApiClient,
  submit: () => Promise<Pick<Task, "id">>,
  options: FollowTaskOptions,
): Promise<number> {
  const { clock, output } = context;
  const signals = stopSignals(context.signals, clock.monotonicMs, () => context.exitNow(exitCodes.cancelled));
  const done = new AbortController();
  try {
    const { id } = await submit();
    const left = new AbortController();
    const interrupt = async (why: string) => {
      if (options.detachOnInterrupt) {
        await output.message(`left task ${id} running; \`cazi logs -f ${id}\` follows it`);
        left.abort();
      } else {
        await output.message(
          `cancelling task ${id}; Ctrl-C again leaves at once, \`cazi wait ${id}\` gives its end`,
        );
        await client.cancelTask(id, why).catch(ignoreEnded);
      }
    };
    const interrupted = signals.first.then((signal) => interrupt(`${signal} in cazi run`));
    if (!options.quiet) void noticeWaiting(context, client, id, done.signal);
    const ended = printToEnd(context, client, { id, interrupt, signal: left.signal }).catch(async (error) => {
      if (error instanceof CaziError)
        await output.message(`task ${id} may go on; \`cazi wait ${id}\` gives its end`);
      throw error;
    });
    // A cancel that fails must not be lost: it ends the race, success of it does not.
    const failed = interrupted.then(() => new Promise<never>(() => {}));
    const end = await Promise.race([ended, failed, aborted(left.signal)]);
    if (end === null) return exitCodes.cancelled;
    const message = options.quiet || end.readerLeft ? null : endMessage(end.task);
    if (message !== null) await output.message(message);
    return taskExitCode(end.task);
  } finally {
    done.abort();
    signals.release();
  }
}

async function printToEnd(
  context: CliContext,
  client: ApiClient,
  of: {
    readonly id: string;
    readonly interrupt: (why: string) => Promise<void>;
    readonly signal: AbortSignal;
  },
): Promise<{ readonly task: Task; readonly readerLeft: boolean }> {
  const { id, signal } = of;
  let readerLeft = false;
  try {
    for await (const entries of client.followTaskLogs(id, { signal })) {
      await printEntries(context.output, entries);
    }
  } catch (error) {
    if (!(error instanceof ReaderGone)) throw error;
    readerLeft = true;
    await of.interrupt("the reader of its output left");
  }
  return { task: await waitForEnd(client, id, { clock: context.clock, signal }), readerLeft };
}

/** Resolves to null when the signal is given. */
function aborted(signal: AbortSignal): Promise<null> {
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(null), { once: true });
  });
}

/** A task that ended before the cancel reached it keeps its true end. */
function ignoreEnded(error: unknown): void {
  if ((error as { code?: unknown }).code !== "TASK_ENDED") throw error;
}
