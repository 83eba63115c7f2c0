/** Restarts an embedded server that ended unasked, at the same address: its clients reconnect for ever. */
import type { Log } from "./log.ts";

const backOffFirstMs = 200;
const backOffMaxMs = 10_000;
/** A server that lived this long has recovered: the next end begins at the first back-off again. */
const settledMs = 60_000;

export interface Restartable {
  readonly exited: Promise<string>;
  stop(): Promise<void>;
}

export interface KeptServer {
  /** Ends it, and so has it started again. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** The pause before restart `count` (from 0) of a row of failures, in ms. */
export function restartPauseMs(count: number): number {
  return Math.min(backOffFirstMs * 2 ** Math.min(count, 16), backOffMaxMs);
}

/**
 * Watches `first`, and `restart`s until {@link KeptServer.stop}.
 * @param options.monotonicMs the clock that tells whether a server lived long
 */
export function keepRunning(options: {
  name: string;
  first: Restartable;
  restart: () => Promise<Restartable>;
  log: Log;
  monotonicMs: () => number;
}): KeptServer {
  const { name, restart, log, monotonicMs } = options;
  let current: Restartable | null = options.first;
  let stopping = false;
  let wake: (() => void) | null = null;
  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  async function watch(): Promise<void> {
    let failures = 0;
    while (!stopping) {
      if (current !== null) {
        const began = monotonicMs();
        const how = await current.exited;
        if (stopping) return;
        if (monotonicMs() - began > settledMs) failures = 0;
        log.warn(`${name} ${how}; it is started again`);
        current = null;
      }
      await pause(restartPauseMs(failures++));
      if (stopping) return;
      try {
        current = await restart();
      } catch (error) {
        log.warn(`${name} did not start: ${(error as Error).message}`);
      }
    }
  }

  const watching = watch();
  return {
    restart: async () => current?.stop(),
    stop: async () => {
      stopping = true;
      wake?.();
      await current?.stop();
      await watching;
      // A restart may have been under way when the stop came.
      await current?.stop();
    },
  };
}
