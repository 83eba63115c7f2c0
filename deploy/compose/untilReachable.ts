import type { Clock } from "../../services/kernel/clock.ts";
import { Retryable } from "../../services/kernel/errors.ts";
import type { Log } from "../../services/kernel/log.ts";

/** A loaded machine may take this long to answer its first query; then something else is wrong. */
const PATIENCE_MS = 60_000;
const PAUSE_MS = 500;

/**
 * Does `work` again while what it needs does not answer yet, for a minute. Only for work that may be done twice.
 * @throws what `work` throws for another reason, or its last {@link Retryable}
 */
export async function untilReachable<T>(
  work: () => Promise<T>,
  ports: { readonly clock: Clock; readonly log: Log; readonly tell: (text: string) => void },
): Promise<T> {
  const deadline = ports.clock.monotonicMs() + PATIENCE_MS;
  let told = false;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isPassing(error) || ports.clock.monotonicMs() > deadline) throw error;
      ports.log.warn({ error }, "what this start needs does not answer yet; trying again");
      if (!told) ports.tell(`${error.message}; trying for ${PATIENCE_MS / 1000} s`);
      told = true;
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

/** A ledger that lost events does not come back by waiting. */
function isPassing(error: unknown): error is Retryable {
  return error instanceof Retryable && error.code !== "LEDGER_REGRESSED";
}
