/** When a request is sent again, and how long to pause before. Pure. */
import { CaziError } from "../errors.ts";

/** Longest time that one request is tried again and again. */
export const retryBudgetMs = 30_000;
const firstPauseMs = 200;
const pauseMaxMs = 3_000;

/** 503s that waiting does not cure: a person has to act. */
const hopeless: ReadonlySet<string> = new Set(["LEDGER_REGRESSED"]);

export interface Failed {
  readonly error: unknown;
  /** Pauses so far, so 0 after the first try. */
  readonly pauses: number;
  /** Since the first try began. */
  readonly elapsedMs: number;
  /** What the server asked for in `Retry-After`; null when it did not. */
  readonly retryAfterMs: number | null;
  /** True once this client has had any answer from the server. */
  readonly reached: boolean;
  /** 0 to 1, spreads the pauses of many clients. */
  readonly random: number;
  /** Defaults to {@link retryBudgetMs}. */
  readonly budgetMs?: number;
}

/**
 * @returns milliseconds to pause before the same request is sent again, or null to give up. A server that
 * refuses the connection and never answered before is not there: no waiting for it.
 */
export function pauseBeforeRetry(failed: Failed): number | null {
  const { error, pauses, elapsedMs, retryAfterMs, reached, random, budgetMs = retryBudgetMs } = failed;
  if (!(error instanceof CaziError) || error.family !== "retryable" || hopeless.has(error.code)) return null;
  if (!reached && error.fields.refused === true) return null;
  const growing = Math.min(pauseMaxMs, firstPauseMs * 2 ** pauses);
  const pause = Math.round(retryAfterMs ?? growing * (0.5 + random / 2));
  return elapsedMs + pause > budgetMs ? null : pause;
}
