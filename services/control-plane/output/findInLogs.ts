/** Places in LOGS, found by looking at few chunks however long the output is. */
import type { LogLookup } from "../../kernel/logs/logLookup.ts";
import type { LogChunk, LogFilter } from "../../kernel/logs/logSource.ts";
import { type LogPosition, logStart } from "./logPosition.ts";
import { streamsOf } from "./outputEnd.ts";

/** What is known of a task's attempts. */
interface Attempts {
  readonly attempt: number;
  readonly node: string | null;
  readonly attempts: readonly { readonly attempt: number; readonly node: string | null }[];
}

/** Whose output, and how many bytes before a position are needed as well. */
export interface OutputOf {
  readonly task: Attempts;
  readonly filter: LogFilter;
  readonly reach: number;
}

/** A place some way before an output's end. */
export interface Back {
  readonly startSeq: number;
  /** Nothing of the output is stored before it. */
  readonly isFirst: boolean;
}

/**
 * A place in LOGS to read on from after `position`: each byte after it comes. 1, so all of it, where the bytes at the
 * position are not found: reading tells what is missing, so what is read never depends on what is found here.
 * @throws Retryable `LOGS_UNAVAILABLE`
 */
export async function seqOfPosition(logs: LogLookup, of: OutputOf, position: LogPosition): Promise<number> {
  const { attempt } = position;
  if (attempt === 0 || (of.filter.attempt !== null && of.filter.attempt !== attempt)) return 1;
  let seq = Number.POSITIVE_INFINITY;
  for (const stream of streamsOf(of.filter)) {
    const filter = filterOf(of, attempt, stream);
    const last = await logs.last(filter);
    if (last === null) continue;
    const target = Math.max(0, position[stream] - of.reach);
    const chunk = await firstNot(logs, filter, { last, isBefore: (one) => endOf(one) <= target });
    if (chunk !== null && chunk.offset > target) return 1;
    seq = Math.min(seq, chunk?.seq ?? last.seq + 1);
  }
  return Number.isFinite(seq) ? seq : 1;
}

/**
 * The position of what was read at `sinceMs` or later, a byte earlier: whether a line begins there is seen by the byte
 * before. By the times that nodes gave the chunks, which grow within a stream.
 * @throws Retryable `LOGS_UNAVAILABLE`
 */
export async function positionAt(logs: LogLookup, of: OutputOf, sinceMs: number): Promise<LogPosition> {
  let found: LogPosition = logStart;
  for (let attempt = of.filter.attempt ?? of.task.attempt; attempt > 0; attempt--) {
    const position = { attempt, stdout: 0, stderr: 0 };
    let newest: number | null = null;
    for (const stream of streamsOf(of.filter)) {
      const filter = filterOf(of, attempt, stream);
      const last = await logs.last(filter);
      if (last === null) continue;
      newest = Math.max(newest ?? last.at, last.at);
      const first = await firstNot(logs, filter, { last, isBefore: (one) => one.at < sinceMs });
      position[stream] = Math.max(0, (first?.offset ?? endOf(last)) - 1);
    }
    const isOlder = newest !== null && newest < sinceMs;
    if (newest !== null && (!isOlder || found.attempt === 0)) found = position;
    if (isOlder || of.filter.attempt !== null) break;
  }
  return found;
}

/** A place with about `want` chunks after it, at most some times as many. @throws Retryable `LOGS_UNAVAILABLE` */
export async function seqBack(logs: LogLookup, filter: LogFilter, want: number): Promise<Back> {
  const [first, last] = [await logs.next(filter, 1), await logs.last(filter)];
  if (first === null || last === null) return { startSeq: 1, isFirst: true };
  let start = last.seq + 1;
  let tooFew = start;
  let count = 0;
  for (let distance = want; count < want && start > first.seq; distance *= 8) {
    tooFew = start;
    start = Math.max(first.seq, last.seq + 1 - distance);
    count = await logs.count(filter, start);
  }
  // The last step may have gone from too few to very many.
  while (count > 4 * want && start + 1 < tooFew) {
    const middle = Math.floor((start + tooFew) / 2);
    const after = await logs.count(filter, middle);
    if (after >= want) [start, count] = [middle, after];
    else tooFew = middle;
  }
  return { startSeq: start, isFirst: start <= first.seq };
}

/** The first chunk with bytes after this offset of its stream; null where there is none. @throws as the others */
export async function chunkAfter(
  logs: LogLookup,
  filter: LogFilter,
  offset: number,
): Promise<LogChunk | null> {
  const last = await logs.last(filter);
  return last && firstNot(logs, filter, { last, isBefore: (one) => endOf(one) <= offset });
}

/** The first chunk that is not before, of chunks of which all that are before come first; null where all are. */
async function firstNot(
  logs: LogLookup,
  filter: LogFilter,
  of: { readonly last: LogChunk; readonly isBefore: (chunk: LogChunk) => boolean },
): Promise<LogChunk | null> {
  if (of.isBefore(of.last)) return null;
  let found = of.last;
  // Up to `low` all is before; from `high` to what was found there is nothing.
  let low = 0;
  let high = found.seq;
  while (low + 1 < high) {
    const middle = Math.floor((low + high) / 2);
    const chunk = await logs.next(filter, middle);
    if (chunk === null || chunk.seq >= found.seq) high = middle;
    else if (of.isBefore(chunk)) low = chunk.seq;
    else [found, high] = [chunk, middle];
  }
  return found;
}

/** Of one stream of an attempt, as its own node stored it. */
export function filterOf(
  { task, filter }: OutputOf,
  attempt: number,
  stream: "stdout" | "stderr",
): LogFilter {
  const last = attempt === task.attempt ? task.node : null;
  const node = task.attempts.find((one) => one.attempt === attempt)?.node ?? last;
  return { task: filter.task, attempt, stream, node };
}

/** The record of dropped bytes counts as one byte. */
function endOf(chunk: LogChunk): number {
  return chunk.offset + (chunk.dropped === null ? chunk.bytes.length : 1);
}
