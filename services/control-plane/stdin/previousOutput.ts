import { isPlaced } from "../../domain/task/taskState.ts";
import { Rejection } from "../../kernel/errors.ts";
import type { TaskKey } from "../../kernel/ledger/taskLedger.ts";
import type { Workload } from "../artifacts/publishArtifact.ts";
import { type OutputPorts, type RawOutput, rawOutput } from "../output/rawOutput.ts";
import { previousOf } from "./previousOf.ts";
import { wantsStdin } from "./wantsStdin.ts";

export type PreviousPorts = Omit<OutputPorts, "pendingReason">;

export interface PreviousOutput {
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Bytes there will be; null where the end of the task before counted none, because its node was lost. */
  readonly length: number | null;
  /** Bytes beyond the cap of the task before. */
  readonly dropped: number;
}

/**
 * The standard output of the task before, for an attempt that asks for it and is the newest of its task.
 * @throws Rejection `STALE_FENCE`, `STDIN_NOT_WANTED`, `STDIN_GONE`; Retryable `LEDGER_UNAVAILABLE`, `LOGS_UNAVAILABLE`,
 *   `CONNECTIONS_UNAVAILABLE`. The bytes end with Retryable `OUTPUT_LATE` where some are on their way still, and with
 *   Poison `OUTPUT_INCOMPLETE` where some are missing.
 */
export async function previousOutput(ports: PreviousPorts, by: Workload): Promise<PreviousOutput> {
  const key = { tenant: by.tenant, task: by.task };
  const { state } = await ports.ledger.load(key);
  if (!isPlaced(state) || state.fence !== by.fence)
    throw new Rejection("STALE_FENCE", "The attempt is over, or a newer one goes on.");
  const first = await ports.ledger.first(key);
  if (first?.body.type !== "submitted" || !wantsStdin(first.body.spec))
    throw new Rejection("STDIN_NOT_WANTED", "The spec of the task does not say stdin_from_prev: true.");
  const previous = await previousOf(ports.ledger, key);
  if (previous === null) throw gone();
  const { task, bytes, dropped } = await outputOf(ports, previous);
  const counted = task.attempts.find((one) => one.attempt === task.attempt)?.logs?.stdout.stored;
  const length = task.attempt === 0 ? 0 : (counted ?? null);
  return { bytes, length, dropped };
}

async function outputOf(ports: PreviousPorts, key: TaskKey): Promise<RawOutput> {
  try {
    return await rawOutput({ ...ports, pendingReason: () => null }, key, { stream: "stdout" });
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    throw error.code === "TASK_ERASED" || error.code === "TASK_NOT_FOUND" ? gone() : error;
  }
}

function gone(): Rejection {
  return new Rejection("STDIN_GONE", "The task before this one, or its output, is not there any more.");
}
