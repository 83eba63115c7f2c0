import type { Task } from "../../../schemas/api/task.ts";
import type { RawOutputQuery } from "../../../schemas/api/taskOutput.ts";
import { isTerminalStatus } from "../../../schemas/api/taskStatus.ts";
import { Retryable } from "../../kernel/errors.ts";
import type { TaskKey } from "../../kernel/ledger/taskLedger.ts";
import { exactBytes } from "../../kernel/logs/exactBytes.ts";
import { maskedBytes } from "../../kernel/redaction/maskedBytes.ts";
import type { ApiPorts } from "../ports.ts";
import { findTaskInLedger } from "../tasks/findTask.ts";
import { secretsOf } from "./secretsOf.ts";

export interface RawOutput {
  readonly task: Task;
  /** Exactly the bytes that were kept, in order, each once; of an attempt that is over, as many as its end counted. */
  readonly bytes: AsyncGenerator<Uint8Array>;
  /** Bytes beyond the cap; 0 while unknown. */
  readonly dropped: number;
  /** True when these are all the bytes there will be. */
  readonly complete: boolean;
}

export type OutputPorts = Pick<ApiPorts, "ledger" | "logs" | "pendingReason"> & {
  readonly connections: Pick<ApiPorts["connections"], "secrets">;
};

/**
 * The very bytes of one output stream of an attempt, the last one unless it is named; those of secrets masked, for anybody.
 * @throws Rejection `TASK_NOT_FOUND`, `TASK_ERASED`; Retryable `LOGS_UNAVAILABLE`, `CONNECTIONS_UNAVAILABLE`. The bytes end with
 *   Poison `OUTPUT_INCOMPLETE` where some are missing, and with Retryable `OUTPUT_LATE` where the last ones are not stored, or
 *   not any more: a wrong output never looks like a right one.
 */
export async function rawOutput(ports: OutputPorts, key: TaskKey, query: RawOutputQuery): Promise<RawOutput> {
  const task = await findTaskInLedger(ports, key);
  const attempt = query.attempt ?? task.attempt;
  const complete = isTerminalStatus(task.status) || attempt < task.attempt;
  const counted = complete ? task.attempts.find((one) => one.attempt === attempt)?.logs : null;
  const dropped = counted?.[query.stream].dropped ?? 0;
  if (attempt === 0) return { task, bytes: nothing(), dropped, complete };
  const reading = await ports.logs.read({ task: key.task, attempt, stream: query.stream }, 1);
  const stored = exactBytes(reading.chunks, { task, stream: query.stream });
  const bytes = counted ? upTo(stored, counted[query.stream].stored) : stored;
  return { task, bytes: maskedBytes(bytes, await secretsOf(ports, task)), dropped, complete };
}

/** Fewer bytes than the attempt's end counted never look like all. */
async function* upTo(bytes: AsyncIterable<Uint8Array>, counted: number): AsyncGenerator<Uint8Array> {
  let seen = 0;
  for await (const piece of bytes) {
    seen += piece.length;
    yield piece;
  }
  if (seen < counted)
    throw new Retryable(
      "OUTPUT_LATE",
      `The last ${counted - seen} of ${counted} bytes are not in the store.`,
    );
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
