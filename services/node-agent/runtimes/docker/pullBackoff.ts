import type { PullFailure } from "./pullFailure.ts";

const FIRST_MS = 1_000;
/** A registry that limits is asked less eagerly than one that is down. */
const THROTTLED_FIRST_MS = 5_000;
const LONGEST_MS = 60_000;
/** A name that does not exist hardly ever begins to: enough for a machine whose network is just coming up. */
const UNKNOWN_HOST_TRIES_MAX = 3;

/**
 * How long to wait before the next try of a pull, in milliseconds; null when there is to be none. Exponential, spread
 * over its upper half; what the registry asked for is waited in full, and a tenth of it more at most, so that nodes
 * that were told the same do not come back together.
 * @param of.tries how many there were
 * @param of.retryAfterMs what the registry asked for, where that is known
 * @param of.jitter from 0 up to 1
 */
export function pullDelayMs(of: {
  readonly failure: PullFailure;
  readonly tries: number;
  readonly retryAfterMs: number | null;
  readonly jitter: number;
}): number | null {
  const { failure, tries, retryAfterMs, jitter } = of;
  if (failure === "denied" || failure === "missing" || failure === "unusable") return null;
  if (failure === "unknown_host" && tries >= UNKNOWN_HOST_TRIES_MAX) return null;
  if (retryAfterMs !== null)
    return Math.max(FIRST_MS, retryAfterMs + Math.ceil((retryAfterMs * jitter) / 10));
  const first = failure === "throttled" ? THROTTLED_FIRST_MS : FIRST_MS;
  const full = Math.min(LONGEST_MS, first * 2 ** Math.min(tries - 1, 20));
  return Math.round(full / 2 + (full / 2) * jitter);
}
