import { setTimeout as pause } from "node:timers/promises";

/**
 * Does `work` at fixed times, whether or not earlier work is done. Each is measured from the time it was due, so that a
 * stall counts for all that it kept waiting, and not for the one that met it.
 * @param perSecond of which the first is due at once
 * @returns milliseconds of each, in the order in which they were due
 */
export async function openLoop(
  work: () => Promise<unknown>,
  of: { readonly perSecond: number; readonly count: number },
): Promise<readonly number[]> {
  const began = performance.now();
  const results: Promise<number>[] = [];
  for (let i = 0; i < of.count; i++) {
    const due = began + (i * 1000) / of.perSecond;
    const early = due - performance.now();
    if (early > 0) await pause(early);
    results.push(work().then(() => performance.now() - due));
  }
  return await Promise.all(results);
}
