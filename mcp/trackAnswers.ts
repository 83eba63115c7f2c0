import type { Answers } from "./answers.ts";

/** Answers whose calls under way can be waited for: a client that closes its end still gets what it asked before. */
export function trackAnswers(answers: Answers): { readonly answers: Answers; settled(): Promise<void> } {
  const running = new Set<Promise<unknown>>();
  const tracked = Object.fromEntries(
    Object.entries(answers).map(([method, answer]) => [
      method,
      (...asked: Parameters<typeof answer>) => {
        const call = answer(...asked);
        running.add(call);
        return call.finally(() => running.delete(call));
      },
    ]),
  ) as unknown as Answers;
  return {
    answers: tracked,
    settled: async () => {
      // Requests that came last may not have reached their handlers yet.
      await new Promise((resolve) => setImmediate(resolve));
      while (running.size > 0) await Promise.allSettled(running);
      // The answers are sent a few steps of the event loop after the handlers settle.
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}
