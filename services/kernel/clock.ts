import { performance } from "node:perf_hooks";

/** Time as a power: who needs it is given it, so that tests hold it still. */
export interface Clock {
  /** Milliseconds since 1970; for records, never for liveness: it may jump. */
  now(): number;
  /** Milliseconds on a clock that only goes forward; for leases, limits and silence. */
  monotonicMs(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
};
