import { setTimeout as pause } from "node:timers/promises";

/**
 * Waits until `condition` gives something other than false, null or undefined, and returns it. An exception
 * counts as "not yet"; the last one is in the failure.
 * @param what completes "waited for …" in the failure
 * @param options.deadlineMs 30,000 unless given; `pollMs` 20
 */
export async function waitFor<T>(
  what: string,
  condition: () => T | Promise<T>,
  options: { deadlineMs?: number; pollMs?: number } = {},
): Promise<NonNullable<T>> {
  const { deadlineMs = 30_000, pollMs = 20 } = options;
  const deadline = performance.now() + deadlineMs;
  let last: unknown = "it stayed false";
  for (;;) {
    try {
      const value = await condition();
      if (value !== false && value !== null && value !== undefined) return value as NonNullable<T>;
    } catch (error) {
      last = error;
    }
    if (performance.now() > deadline) {
      throw new Error(`waited ${deadlineMs} ms for ${what}: ${last instanceof Error ? last.message : last}`, {
        cause: last,
      });
    }
    await pause(pollMs);
  }
}
