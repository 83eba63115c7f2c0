/** When a sink is tried. Pure: it reads no stored try, so a restart goes on from the clock alone. */

export interface RetryPolicy {
  /** Tries at most, the first included. */
  readonly tries: number;
  /** From the task's end to the second try, in milliseconds. */
  readonly firstMs: number;
  /** From the task's end to the last try. */
  readonly lastMs: number;
}

/** Tries that a process makes at least, however late it comes: an outage of ours is no fault of the receiver. */
const TRIES_AT_LEAST = 3;
const LATE_PAUSE_MS = 1_000;
const HELD_FIRST_MS = 1_000;
const HELD_LAST_MS = 60_000;
/** Part of a delay that is taken off at random, so that what failed together is not tried together. */
const SPREAD = 0.2;

/**
 * The next try of a sink, or null when it has had all of them.
 *
 * The tries have fixed places: at the end of the task, and from then on at growing distances up to `lastMs`. What has
 * passed is past, whoever was there to try; only the last places are made up for.
 * @param of.endedAt when the task ended, in milliseconds since 1970
 * @param of.triesHere tries that this process has made
 * @param of.spread from 0 up to 1, the same for the same sink for ever
 * @returns milliseconds since 1970; at or before `now`: at once
 */
export function nextTryAt(
  policy: RetryPolicy,
  of: { readonly endedAt: number; readonly now: number; readonly triesHere: number; readonly spread: number },
): number | null {
  if (of.triesHere >= policy.tries) return null;
  if (of.triesHere === 0) return of.endedAt;
  for (let index = 1; index < policy.tries; index++) {
    const at = of.endedAt + placeMs(policy, index, of.spread);
    if (at > of.now) return at;
  }
  if (of.triesHere >= Math.min(TRIES_AT_LEAST, policy.tries)) return null;
  return of.now + LATE_PAUSE_MS * 2 ** of.triesHere;
}

/**
 * A receiver's own wish to be asked later, within the bound of all tries.
 * @param at what {@link nextTryAt} gave
 */
export function heedRetryAfter(
  policy: RetryPolicy,
  of: {
    readonly at: number | null;
    readonly endedAt: number;
    readonly now: number;
    readonly retryAfterMs: number;
  },
): number | null {
  if (of.at === null) return null;
  const latest = Math.max(of.at, of.endedAt + policy.lastMs);
  return Math.min(Math.max(of.at, of.now + of.retryAfterMs), latest);
}

/**
 * When a sink that a limit of its tenant holds back is looked at again. It waits as long as the limit says, longer the more
 * often it was held, so that a thousand that wait for one limit do not ask at once; and as long as tries are made at all.
 * @param of.holds how often this process has seen it held before
 * @returns null when the time of all tries is over: what is left is tried as any sink is
 */
export function heldUntil(
  policy: RetryPolicy,
  of: {
    readonly endedAt: number;
    readonly now: number;
    readonly holds: number;
    readonly retryAfterMs: number;
    readonly spread: number;
  },
): number | null {
  const latest = of.endedAt + policy.lastMs;
  if (of.now >= latest) return null;
  const backOffMs = Math.min(HELD_LAST_MS, HELD_FIRST_MS * 2 ** of.holds);
  const waitMs = Math.max(of.retryAfterMs, backOffMs) * (1 + SPREAD * of.spread);
  return Math.min(of.now + Math.round(waitMs), latest);
}

function placeMs(policy: RetryPolicy, index: number, spread: number): number {
  const steps = policy.tries - 2;
  const growth = steps > 0 ? (policy.lastMs / policy.firstMs) ** (1 / steps) : 1;
  const full = index === policy.tries - 1 ? policy.lastMs : policy.firstMs * growth ** (index - 1);
  return Math.round(full * (1 - SPREAD * spread));
}
