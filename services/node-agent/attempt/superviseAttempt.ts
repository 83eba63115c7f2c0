import type { Ended } from "../../../schemas/messages/node.ts";
import { boundFolder } from "../artifacts/boundFolder.ts";
import { collectArtifacts } from "../artifacts/collectArtifacts.ts";
import { runningReportDelayMs } from "../limits.ts";
import type { LogPump } from "../output/logPump.ts";
import type { OutputCollector } from "../output/outputCollector.ts";
import type { AttemptTerms, ExitFacts } from "../ports.ts";
import { Abandoned, after } from "../repeat.ts";
import type { AgentContext } from "./agentContext.ts";
import type { AttemptRecord } from "./attemptRecord.ts";
import type { Reporter } from "./reporter.ts";
import { endedByStop, stopRunning } from "./stopRunning.ts";

/** The output side of one attempt; known later for one that was found again, because LOGS is asked first. */
export interface AttemptOutput {
  readonly pump: LogPump;
  readonly collector: OutputCollector;
}

export interface Supervision {
  readonly terms: AttemptTerms;
  /** How long it has run already. */
  readonly ranMs: number;
  readonly output: Promise<AttemptOutput> | AttemptOutput;
  readonly reporter: Reporter;
}

/**
 * From running to held: keeps the time limit, stops it when wished, waits for the exit, drains the output and
 * stores the last report. @throws Abandoned when the agent stops; the attempt runs on
 */
export async function superviseAttempt(
  context: AgentContext,
  attempt: AttemptRecord,
  supervision: Supervision,
): Promise<void> {
  const { terms, ranMs, output, reporter } = supervision;
  if (attempt.state !== "stopping") attempt.state = "running";
  // Awaited only after the exit: until then its failure is nobody's.
  if (output instanceof Promise) output.catch(() => {});
  const exited = context.runtime.wait(attempt.ref, context.life);
  const cancelTimeout = after(terms.timeoutMs - ranMs, () => attempt.stop.request("timeout"));
  const cancelRunning = after(runningReportDelayMs, () => void sayRunning(context, output, reporter));
  const endBound = boundFolder(context, attempt);
  let over: string | null = null;
  let stopping: Promise<number | null> = Promise.resolve(null);
  attempt.stop.onRequest(() => {
    stopping = stopRunning(context, attempt, { graceMs: terms.stopGraceMs, exited });
    stopping.catch(() => {});
  });
  let exit: ExitFacts | "gone";
  try {
    exit = await exited;
  } finally {
    cancelTimeout();
    cancelRunning();
    over = endBound();
  }
  const sentAt = await stopping;
  const { pump, collector } = await output;
  if (exit === "gone") await collector.abandon();
  else await collector.drain(exit.interrupted);
  await pump.finish();
  const ended = exit === "gone" ? lostContainer(context.clock.now()) : toEnded(attempt, exit, sentAt);
  const missed = await collectArtifacts(context, attempt);
  attempt.ended = { ...ended, message: joined([over, ...attempt.notes, ended.message, missed]) };
  // An engine notes the start after it happened: a short run may seem to have ended before.
  if (exit !== "gone" && exit.startedAt !== null) {
    attempt.startedAt = Math.min(exit.startedAt, exit.finishedAt);
  }
  await reporter.send();
  attempt.hold();
}

async function sayRunning(
  context: AgentContext,
  output: Supervision["output"],
  reporter: Reporter,
): Promise<void> {
  try {
    // The counts of a report never fall: what LOGS holds must be known first.
    await output;
    await reporter.send();
  } catch (error) {
    if (!(error instanceof Abandoned)) context.log.error({ error }, "the running report failed");
  }
}

function joined(parts: readonly (string | null)[]): string | null {
  return parts.filter((one) => one !== null).join("; ") || null;
}

function toEnded(attempt: AttemptRecord, exit: ExitFacts, sentAt: number | null): Ended {
  return {
    exit_code: exit.exitCode,
    signal: signalOf(exit),
    oom_killed: exit.oomKilled,
    stopped_by: sentAt !== null && endedByStop(sentAt, exit) ? attempt.stop.by : limitOf(exit),
    failure: null,
    finished_at: exit.finishedAt,
    message: exit.message || null,
  };
}

/** A script's own limit of time may be reached before the task's. */
function limitOf(exit: ExitFacts): "timeout" | null {
  return exit.timedOut === true ? "timeout" : null;
}

/** By the convention of shells, exit codes from 129 name a signal: the engine itself does not tell them apart. */
function signalOf(exit: ExitFacts): number | null {
  const number = exit.exitCode - 128;
  return number >= 1 && number <= 31 ? number : null;
}

const goneMessage = "the container is not there any more; it may have run";

/** The end of an attempt of which nobody knows whether or how it ran. */
export function lostContainer(nowMs: number, message = goneMessage): Ended {
  return {
    exit_code: null,
    signal: null,
    oom_killed: false,
    stopped_by: null,
    failure: "container_lost",
    finished_at: nowMs,
    message,
  };
}
