import { engineRetryMs, killRepeatMs } from "../limits.ts";
import { after, sleep } from "../repeat.ts";
import type { AgentContext } from "./agentContext.ts";
import type { AttemptRecord } from "./attemptRecord.ts";

/** Exit codes of a process ended by SIGTERM or SIGKILL, as the engine gives them. */
const STOP_CODES = new Set([128 + 15, 128 + 9]);

/**
 * Ends a running attempt: SIGTERM, grace, then SIGKILL until its exit is seen. "Gone" is the exit itself, never
 * an accepted signal.
 * @param exited settles when the exit is seen
 * @returns when the first SIGTERM reached it, milliseconds since 1970; null when it had ended before
 */
export async function stopRunning(
  context: AgentContext,
  attempt: AttemptRecord,
  options: { readonly graceMs: number; readonly exited: Promise<unknown> },
): Promise<number | null> {
  attempt.state = "stopping";
  const sentAt = context.clock.now();
  if ((await signalOnce(context, attempt, "SIGTERM")) === "not_running") return null;
  if (await within(options.exited, options.graceMs)) return sentAt;
  for (;;) {
    await signalOnce(context, attempt, "SIGKILL");
    if (await within(options.exited, killRepeatMs)) return sentAt;
    context.log.warn({ ...attempt.ref }, "still there after SIGKILL; sending it again");
  }
}

/** True when an attempt that was sent SIGTERM at `sentAt` ended because of it, not just before. */
export function endedByStop(sentAt: number, exit: { exitCode: number; finishedAt: number }): boolean {
  return exit.finishedAt >= sentAt || STOP_CODES.has(exit.exitCode);
}

async function signalOnce(
  context: AgentContext,
  attempt: AttemptRecord,
  signal: "SIGTERM" | "SIGKILL",
): Promise<"sent" | "not_running"> {
  for (;;) {
    try {
      return await context.runtime.signal(attempt.ref, signal);
    } catch (error) {
      context.log.warn({ ...attempt.ref, error, signal }, "the signal could not be sent");
    }
    await sleep(engineRetryMs, context.life);
  }
}

function within(exited: Promise<unknown>, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const cancel = after(ms, () => resolve(false));
    const seen = () => {
      cancel();
      resolve(true);
    };
    exited.then(seen, seen);
  });
}
