import type { LogEntry } from "../../../schemas/api/logEntry.ts";
import type { Task } from "../../../schemas/api/task.ts";
import { isTerminalStatus } from "../../../schemas/api/taskStatus.ts";
import { Retryable } from "../../kernel/errors.ts";
import type { TaskKey } from "../../kernel/ledger/taskLedger.ts";
import { ofItsNode } from "../../kernel/logs/exactBytes.ts";
import { logTailMs, sseHeartbeatMs } from "../limits.ts";
import type { ApiPorts } from "../ports.ts";
import { findTaskInLedger } from "../tasks/findTask.ts";
import { OutputAssembler } from "./assembleOutput.ts";
import { chunksAndTicks } from "./chunksAndTicks.ts";
import { seqOfPosition } from "./findInLogs.ts";
import type { LogQuestion } from "./logQuestion.ts";
import { isAllRead, lastEntries } from "./outputEnd.ts";
import { logFilter, whereToBegin } from "./readLogPage.ts";
import { readLogTail } from "./readLogTail.ts";
import { secretsOf } from "./secretsOf.ts";
import { Sieve } from "./sieve.ts";

/** What a follower gets: entries; now and then nothing, to show that the connection lives; and one end. */
export type Followed =
  | { readonly kind: "entries"; readonly entries: readonly LogEntry[] }
  | { readonly kind: "quiet" }
  | { readonly kind: "end"; readonly task: Task; readonly complete: boolean };

/** A line that has not ended is shown when nothing came for this long: it may be a prompt, or a progress. */
const TICK_MS = 1_000;

/**
 * Follows a task's output to its end: not to the event that ended the task, but to the last byte that the event
 * counted. Ends without an `end` when `gone` aborts or the server stops; the reader comes again with its position.
 * @throws Rejection `TASK_NOT_FOUND`, `TASK_ERASED`; Retryable `LOGS_UNAVAILABLE`, on the first step
 */
export async function* followLog(
  ports: Pick<ApiPorts, "ledger" | "logs" | "ends" | "clock" | "pendingReason" | "stopping" | "connections">,
  key: TaskKey,
  asked: LogQuestion,
  gone: AbortSignal,
): AsyncGenerator<Followed> {
  const over = new AbortController();
  const signal = AbortSignal.any([ports.stopping, gone, over.signal]);
  const filter = logFilter(key, asked);
  let masked = -1;
  try {
    let hasEnded = false;
    const ended = ports.ends.ended(key.task, signal).then(() => {
      hasEnded = true;
    });
    let task = await findTaskInLedger(ports, key);
    const { reach } = await secretsOf(ports, task);
    let after = await whereToBegin(ports, { task, filter, reach }, asked);
    if (asked.tail !== null) {
      const last = await readLogTail(ports, { task, filter, asked, tail: asked.tail });
      after = last.after;
      if (last.page.data.length > 0) yield { kind: "entries", entries: last.page.data };
    }
    const assembler = new OutputAssembler(after, { sieve: new Sieve(asked.wanted) });
    const startSeq = await seqOfPosition(ports.logs, { task, filter, reach }, after);
    const reading = await ports.logs.follow(filter, startSeq, signal);
    let { pending } = reading;
    let endSeenAt: number | null = null;
    let lookedAt = ports.clock.monotonicMs();
    if (isAllRead(task, filter, { assembler, pending })) return yield* finish(task, assembler, true);
    for await (const chunk of chunksAndTicks(reading.chunks, { tickMs: TICK_MS, wake: ended })) {
      if (signal.aborted) return;
      const due = ports.clock.monotonicMs() - lookedAt > sseHeartbeatMs;
      if (!isTerminalStatus(task.status) && (hasEnded || (chunk === null && due))) {
        task = await findAgain(ports, key, task);
        lookedAt = ports.clock.monotonicMs();
      }
      if (chunk !== null) {
        pending = chunk.pending;
        if (chunk.attempt > masked) {
          // Another attempt may have been granted other values.
          assembler.useSecrets(await secretsOf(ports, task));
          masked = chunk.attempt;
        }
        const entries = ofItsNode(chunk, task) ? assembler.take(chunk) : [];
        yield entries.length > 0 ? { kind: "entries", entries } : { kind: "quiet" };
      }
      if (isAllRead(task, filter, { assembler, pending })) return yield* finish(task, assembler, true);
      if (chunk !== null) continue;
      if (isTerminalStatus(task.status)) endSeenAt ??= ports.clock.monotonicMs();
      if (endSeenAt !== null && ports.clock.monotonicMs() - endSeenAt > logTailMs) {
        return yield* finish(task, assembler, false);
      }
      // What is looked for may be in the rest of the line.
      const unfinished = asked.wanted.grep === null ? assembler.cut() : [];
      yield unfinished.length > 0 ? { kind: "entries", entries: unfinished } : { kind: "quiet" };
    }
  } finally {
    over.abort();
  }

  function* finish(task: Task, assembler: OutputAssembler, complete: boolean): Generator<Followed> {
    const entries = lastEntries(task, filter, assembler);
    if (entries.length > 0) yield { kind: "entries", entries };
    yield { kind: "end", task, complete };
  }
}

/** The task now, or as it was seen before while the ledger does not answer: a follower outlives that. */
async function findAgain(
  ports: Pick<ApiPorts, "ledger" | "pendingReason">,
  key: TaskKey,
  before: Task,
): Promise<Task> {
  try {
    return await findTaskInLedger(ports, key);
  } catch (error) {
    if (error instanceof Retryable) return before;
    throw error;
  }
}
