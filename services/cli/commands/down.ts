import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { isAlive, type ProcessIdentity } from "../../../deploy/bootstrap/processIdentity.mjs";
import { Rejection, Retryable } from "../../kernel/errors.ts";
import { type CliContext, connect } from "../context.ts";
import { exitCodes } from "../exitCode.ts";
import { allPages } from "./allPages.ts";
import { stopLeftContainers } from "./stopLeftContainers.ts";
import { isOver, waitForEnd } from "./waitForEnd.ts";

/** `cazi up` promises to end within 10 s; what hangs longer is reported, not killed. */
const endLimitMs = 20_000;
const pollMs = 50;
/** Grace of SIGTERM, SIGKILL, and the report of it. */
const cancelLimitMs = 30_000;
/** More than one machine runs. */
const runningMax = 10_000;

export interface DownOptions {
  /** Leaves containers running; the next start reports how they ended. */
  readonly keep?: true;
}

/** Ends the `cazi up` of this home; running tasks are cancelled first. Nothing running is success. */
export async function down(context: CliContext, options: DownOptions): Promise<number> {
  const { home } = context.settings().config;
  const holder = lockHolder(home);
  if (holder === null || !isAlive(holder)) {
    await context.output.message(`no Cazi runs on ${home}`);
    if (!options.keep) await stopLeftContainers(context);
    return exitCodes.ok;
  }
  if (!options.keep) await cancelRunning(context);
  process.kill(holder.pid, "SIGTERM");
  const deadline = context.clock.monotonicMs() + endLimitMs;
  while (isAlive(holder)) {
    if (context.clock.monotonicMs() > deadline) {
      throw new Retryable("TIMED_OUT", `process ${holder.pid} has not ended within ${endLimitMs / 1000} s`, {
        hint: `Look at it, or end it with \`kill -9 ${holder.pid}\`: nothing recorded is lost.`,
      });
    }
    await pause(pollMs);
  }
  await context.output.message(`ended process ${holder.pid}`);
  return exitCodes.ok;
}

/**
 * One look: what starts after it belongs to a queue that nobody asked to empty. Where the API does not answer,
 * the process is ended all the same.
 */
async function cancelRunning(context: CliContext): Promise<void> {
  try {
    const client = connect(context);
    const running = await allPages(runningMax, undefined, (page) =>
      client.listTasks({ ...page, status: ["claimed", "running"] }),
    );
    const ids = running.data.map(({ id }) => id);
    if (ids.length === 0) return;
    await context.output.message(`cancelling ${ids.length} running ${ids.length === 1 ? "task" : "tasks"}`);
    const ended = await Promise.all(
      ids.map(async (id) => {
        await client.cancelTask(id, "cazi down").catch(ignoreEnded);
        return waitForEnd(client, id, { clock: context.clock, limitMs: cancelLimitMs });
      }),
    );
    if (!ended.every(isOver)) throw new Error(`not all ended within ${cancelLimitMs / 1000} s`);
  } catch (error) {
    await context.output.message(
      `running tasks could not all be cancelled (${(error as Error).message}); containers that still run stay`,
    );
  }
}

function ignoreEnded(error: unknown): void {
  if (!(error instanceof Rejection && error.code === "TASK_ENDED")) throw error;
}

function lockHolder(home: string): ProcessIdentity | null {
  try {
    return JSON.parse(readFileSync(join(home, "lock"), "utf8")) as ProcessIdentity;
  } catch {
    return null;
  }
}
