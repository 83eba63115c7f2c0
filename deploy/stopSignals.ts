import type { EventEmitter } from "node:events";

/** A terminal, npm and a supervisor may each deliver the same Ctrl-C: signals this close together are one. */
const sameSignalMs = 500;

export interface StopSignals {
  /** Resolves at the first SIGINT, SIGTERM or SIGHUP. */
  readonly first: Promise<string>;
  /** Stops listening. */
  release(): void;
}

/**
 * @param source `process`, or an emitter in tests
 * @param atOnce called at a second signal
 */
export function stopSignals(
  source: Pick<EventEmitter, "on" | "off">,
  monotonicMs: () => number,
  atOnce: () => void,
): StopSignals {
  const names = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  let firstAt: number | null = null;
  let resolveFirst: (name: string) => void = () => {};
  const first = new Promise<string>((resolve) => {
    resolveFirst = resolve;
  });
  const listener = (name: string) => {
    if (firstAt === null) {
      firstAt = monotonicMs();
      resolveFirst(name);
    } else if (monotonicMs() - firstAt > sameSignalMs) {
      atOnce();
    }
  };
  for (const name of names) source.on(name, listener);
  return {
    first,
    release: () => {
      for (const name of names) source.off(name, listener);
    },
  };
}
