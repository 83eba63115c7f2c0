import { disconnectMarginMs } from "./limits.ts";

/** The times that decide when a silent node's attempts are given up. */
export interface DisconnectTimes {
  readonly beatMs: number;
  readonly nodeOfflineMs: number;
  readonly nodeLostGraceMs: number;
  readonly stopGraceMs: number;
}

/**
 * Silence after which a node that kills on disconnect begins to stop its containers: early enough that they are
 * gone, with a margin, before the control plane counts them as lost and may run them elsewhere. Milliseconds.
 */
export function disconnectLimitMs(times: DisconnectTimes): number {
  const lostAfter = times.nodeOfflineMs + times.nodeLostGraceMs;
  // With times too short for the margin, as in tests, half of what there is; never within one missed beat.
  const early = Math.max(lostAfter - times.stopGraceMs - disconnectMarginMs, lostAfter / 2);
  return Math.max(early, times.beatMs * 2);
}
