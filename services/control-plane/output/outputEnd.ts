import type { Task } from "../../../schemas/api/task.ts";
import { isTerminalStatus } from "../../../schemas/api/taskStatus.ts";
import type { LogStream } from "../../../streams/subjects.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { LogFilter } from "../../kernel/logs/logSource.ts";
import { logTailMs } from "../limits.ts";
import type { OutputAssembler } from "./assembleOutput.ts";

/** The streams of a filter. */
export function streamsOf(filter: Pick<LogFilter, "stream">): readonly LogStream[] {
  return filter.stream === null ? ["stdout", "stderr"] : [filter.stream];
}

/**
 * True when nothing can come after what was read: the task is over, and of the streams asked for there is every
 * byte that the end of the attempt asked for counted, or of the last one. Where that counted none (it never started,
 * its node was lost), what is stored is all there is.
 */
export function isAllRead(
  task: Task,
  filter: LogFilter,
  read: { readonly assembler: OutputAssembler; readonly pending: number },
): boolean {
  if (!isTerminalStatus(task.status)) return false;
  if (read.pending > 0) return false;
  const attempt = filter.attempt ?? task.attempt;
  const logs = logsOf(task, attempt);
  if (logs === null) return true;
  return streamsOf(filter).every((stream) => {
    const { stored } = logs[stream];
    return stored === 0 || read.assembler.has({ attempt, stream, bytes: stored });
  });
}

/** What has not come so long after the end will not come. */
export function isLongOver(clock: Clock, task: Task): boolean {
  return task.finished_at !== null && clock.now() - Date.parse(task.finished_at) > logTailMs;
}

/** Entries that end a task's output: lines without a newline, and what its end counted and is not there. */
export function lastEntries(task: Task, filter: LogFilter, assembler: OutputAssembler) {
  const entries = assembler.end();
  const { finished_at } = task;
  const at = finished_at === null ? 0 : Date.parse(finished_at);
  for (const attempt of new Set([assembler.position.attempt, filter.attempt ?? task.attempt])) {
    const logs = logsOf(task, attempt);
    if (logs === null) continue;
    for (const stream of streamsOf(filter))
      entries.push(...assembler.missingAtEnd({ attempt, stream, ...logs[stream], at }));
  }
  return entries;
}

function logsOf(task: Task, attempt: number): Task["logs"] {
  return task.attempts.find((one) => one.attempt === attempt)?.logs ?? null;
}
