import { heedRetryAfter, heldUntil, nextTryAt, type RetryPolicy } from "../domain/sinks/retrySchedule.ts";
import { derivedId } from "../kernel/ids.ts";
import type { SinkOfTask } from "./attempt.ts";
import type { Outcome } from "./outcome.ts";
import type { SinksPorts } from "./ports.ts";
import type { SinkTries } from "./sinkTries.ts";

/**
 * What this process knows of a sink that is not settled. Another process begins it anew from the task's end, and knows
 * only how often it was tried ({@link SinkTries}).
 *
 * - `waiting`: to be tried at `at`.
 * - `trying`: in the queue, or under way.
 * - `told`: its outcome is known and is to be written at `at`; nothing more goes out.
 * - `settled`: written.
 */
export interface SinkJob {
  readonly of: SinkOfTask;
  readonly endedAt: number;
  /** Of this process: the schedule goes by them. */
  tries: number;
  /** Of all processes, in vain: what is told of it. */
  triesInAll: number;
  /** How often a limit held it back instead. */
  holds: number;
  phase:
    | { readonly is: "waiting"; readonly at: number }
    | { readonly is: "trying" }
    | { readonly is: "told"; readonly at: number; readonly outcome: Outcome }
    | { readonly is: "settled" };
}

/** How soon an outcome that could not be written is tried to be written again. */
const WRITE_AGAIN_MS = 1_000;

/** @param triesInAll that are known of */
export function newJob(of: SinkOfTask, endedAt: number, triesInAll = 0): SinkJob {
  return { of, endedAt, tries: 0, triesInAll, holds: 0, phase: { is: "waiting", at: endedAt } };
}

/** True when there is something to do for it now. */
export function isDue(job: SinkJob, now: number): boolean {
  return (job.phase.is === "waiting" || job.phase.is === "told") && job.phase.at <= now;
}

/** Counts one more try: when the next one is, or that there is none. */
export function afterTry(job: SinkJob, policy: RetryPolicy, outcome: Outcome, now: number): SinkJob["phase"] {
  const spread = spreadOf(job.of);
  if (outcome.result === "failed" && outcome.held) {
    const { endedAt, holds } = job;
    const again = { endedAt, now, holds, retryAfterMs: outcome.retryAfterMs ?? 0, spread };
    const at = heldUntil(policy, again);
    if (at !== null) {
      job.holds++;
      return { is: "waiting", at };
    }
  }
  job.tries++;
  const over = { is: "told", at: now, outcome } as const;
  if (outcome.result === "delivered" || outcome.final) return over;
  const { endedAt, tries: triesHere } = job;
  const planned = nextTryAt(policy, { endedAt, now, triesHere, spread });
  const retryAfterMs = outcome.retryAfterMs ?? 0;
  const at = heedRetryAfter(policy, { at: planned, endedAt, now, retryAfterMs });
  return at === null ? over : { is: "waiting", at };
}

/**
 * {@link afterTry}, and keeps the count of tries in vain.
 * @returns what the job is next
 */
export async function afterTryCounted(
  { clock, policy, sinkTries }: Pick<SinksPorts, "clock" | "policy" | "sinkTries">,
  job: SinkJob,
  outcome: Outcome,
): Promise<SinkJob["phase"]> {
  const { tries } = job;
  const phase = afterTry(job, policy, outcome, clock.now());
  if (job.tries > tries && outcome.result === "failed")
    job.triesInAll = await sinkTries.oneMore(job.of, job.triesInAll);
  return phase;
}

/** The outcome is still to be written. */
export function writeLater(outcome: Outcome, now: number): SinkJob["phase"] {
  return { is: "told", at: now + WRITE_AGAIN_MS, outcome };
}

/** From 0 up to 1, the same for the same sink for ever. */
function spreadOf(of: SinkOfTask): number {
  return Number.parseInt(derivedId(of.task, of.id).slice(0, 6), 36) / 36 ** 6;
}
