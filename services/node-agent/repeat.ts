/** Waiting and repeating, ended by the agent's own end. */
import type { AgentLife } from "./agentLife.ts";
import { retryFirstMs, retryLastMs } from "./limits.ts";

/** The agent stopped while something waited: whatever it was is taken up again by the next life. */
export class Abandoned extends Error {
  override readonly name = "Abandoned";
}

/** Waits `ms`, up to any length. @throws Abandoned when the life ends first */
export function sleep(ms: number, life: AgentLife): Promise<void> {
  return new Promise((resolve, reject) => {
    let forget = () => {};
    const cancel = after(ms, () => {
      forget();
      resolve();
    });
    forget = life.onEnd(() => {
      cancel();
      reject(new Abandoned());
    });
  });
}

/** Longest delay that a timer of the platform takes; beyond it fires at once. */
const timerMsMax = 2 ** 31 - 1;

/** Calls `then` after `ms`, however long. @returns what cancels it */
export function after(ms: number, then: () => void): () => void {
  let timer: NodeJS.Timeout;
  const arm = (left: number) => {
    const now = Math.min(left, timerMsMax);
    timer = setTimeout(() => (left > now ? arm(left - now) : then()), Math.max(0, now));
  };
  arm(ms);
  return () => clearTimeout(timer);
}

/** The wait before try number `tries` (from 1): doubling between the two limits. */
export function backoffMs(tries: number): number {
  return Math.min(retryLastMs, retryFirstMs * 2 ** Math.min(tries - 1, 20));
}

/**
 * Repeats `work` until it succeeds, for ever: what is repeated here has nowhere else to go.
 * @throws Abandoned when the agent stops
 */
export async function untilDone<T>(
  work: () => Promise<T>,
  options: { life: AgentLife; onFailure?: (error: unknown, tries: number) => void },
): Promise<T> {
  for (let tries = 1; ; tries++) {
    if (options.life.over) throw new Abandoned();
    try {
      return await work();
    } catch (error) {
      if (error instanceof Abandoned) throw error;
      options.onFailure?.(error, tries);
    }
    await sleep(backoffMs(tries), options.life);
  }
}
