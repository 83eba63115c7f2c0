import { setTimeout as wait } from "node:timers/promises";

/** Waits so many milliseconds, or until `signal` aborts, which is no error: whoever waits looks at it next. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await wait(ms, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
