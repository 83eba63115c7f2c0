import type { LogPage, TaskLogsQuery } from "../../../schemas/api/logEntry.ts";
import type { Task } from "../../../schemas/api/task.ts";
import type { TaskKey } from "../../kernel/ledger/taskLedger.ts";
import { ofItsNode } from "../../kernel/logs/exactBytes.ts";
import type { LogChunk, LogFilter } from "../../kernel/logs/logSource.ts";
import { logDisorderMs } from "../limits.ts";
import type { ApiPorts } from "../ports.ts";
import { findTaskInLedger } from "../tasks/findTask.ts";
import { OutputAssembler } from "./assembleOutput.ts";
import { type OutputOf, positionAt, seqOfPosition } from "./findInLogs.ts";
import { FirstEntries, Scanned } from "./logEntryPages.ts";
import { type LogPlace, type LogPlaces, OpenChunks } from "./logPlaces.ts";
import { formatPosition, type LogPosition, logStart } from "./logPosition.ts";
import { type LogQuestion, logQuestion } from "./logQuestion.ts";
import { isAllRead, isLongOver, lastEntries, streamsOf } from "./outputEnd.ts";
import { readLogTail } from "./readLogTail.ts";
import { secretsOf } from "./secretsOf.ts";
import { Sieve } from "./sieve.ts";

type LogPorts = Pick<ApiPorts, "ledger" | "logs" | "clock" | "pendingReason" | "connections"> & {
  readonly places: LogPlaces;
  /** Bytes that one request looks through; `logScanBytesMax` unless given. */
  readonly scanBytesMax?: number | undefined;
};

/**
 * A page of a task's output as lines. Lines that have not ended yet are left for a later page, unless nothing
 * can follow. One request looks through `logScanBytesMax` at most, and then answers with what it has.
 * @throws Rejection `TASK_NOT_FOUND`, `TASK_ERASED`, `REQUEST_INVALID`; Retryable `LOGS_UNAVAILABLE`
 */
export async function readLogPage(ports: LogPorts, key: TaskKey, query: TaskLogsQuery): Promise<LogPage> {
  const asked = logQuestion(query, ports.clock.now());
  const task = await findTaskInLedger(ports, key);
  const filter = logFilter(key, asked);
  if (asked.tail !== null) {
    const { page } = await readLogTail(ports, { task, filter, asked, tail: asked.tail });
    return page;
  }
  const { reach } = await secretsOf(ports, task);
  const after = await whereToBegin(ports, { task, filter, reach }, asked);
  const seqOf = () => seqOfPosition(ports.logs, { task, filter, reach }, after);
  const place = ports.places.find(filter, after) ?? { seq: await seqOf(), begun: {} };
  return readFirst(ports, { task, filter, asked }, { after, place });
}

async function readFirst(
  ports: LogPorts,
  { task, filter, asked }: { task: Task; filter: LogFilter; asked: LogQuestion },
  { after, place }: { after: LogPosition; place: LogPlace },
): Promise<LogPage> {
  const reading = await ports.logs.read(filter, place.seq);
  const secrets = await secretsOf(ports, task);
  const assembler = new OutputAssembler(after, { secrets, sieve: new Sieve(asked.wanted) });
  const open = new OpenChunks(place.seq, secrets.reach);
  const page = new FirstEntries(asked.limit);
  const scanned = new Scanned(ports.scanBytesMax);
  for await (const chunk of begunChunks(ports, filter, place)) {
    if (!ofItsNode(chunk, task)) continue;
    scanned.add(chunk);
    open.takeBegun(chunk);
    page.add(assembler.take(chunk));
  }
  let { pending } = reading;
  let isPast = false;
  let isSpent = false;
  for await (const chunk of reading.chunks) {
    pending = chunk.pending;
    scanned.add(chunk);
    if (ofItsNode(chunk, task)) {
      open.take(chunk, assembler.position);
      page.add(assembler.entriesOf(chunk));
      isPast = isLater(chunk, asked);
    } else open.pass(chunk);
    isSpent = scanned.room <= 1 && pending > 0;
    if (page.full || isPast || isSpent) break;
  }
  const partial = isSpent && !page.full && !isPast;
  // A line of such length is given in pieces: the next page must begin after this one.
  if (isPast || (partial && formatPosition(assembler.position) === formatPosition(after))) {
    page.add(assembler.cut());
  }
  const isOver = isAllRead(task, filter, { assembler, pending }) || isLongOver(ports.clock, task);
  const all = !page.full && !partial && (isPast || isOver);
  if (all && !isPast) page.add(lastEntries(task, filter, assembler));
  const data = page.entries;
  if (all && !page.full) return { data, next_cursor: null, partial: false };
  const last = (page.full ? page.position : assembler.position) ?? after;
  ports.places.remember(filter, last, open.placeOf(last));
  return { data, next_cursor: formatPosition(last), partial };
}

/** Of each stream, what is before a place and belongs to a line that ends after it. */
async function* begunChunks({ logs }: LogPorts, filter: LogFilter, { seq, begun }: LogPlace) {
  for (const stream of streamsOf(filter)) {
    const from = begun[stream];
    if (from === undefined) continue;
    const reading = await logs.read({ ...filter, stream }, from);
    for await (const chunk of reading.chunks) {
      if (chunk.seq >= seq) break;
      yield chunk;
    }
  }
}

/** The position that a question names, or that its time or offset stands for. */
export async function whereToBegin(
  { logs }: Pick<ApiPorts, "logs">,
  of: OutputOf,
  { after, offset, stream, attempt, tail, wanted }: LogQuestion,
): Promise<LogPosition> {
  if (after !== null) return after;
  if (offset !== null)
    return { ...logStart, attempt: attempt ?? of.task.attempt, [stream ?? "stdout"]: offset };
  if (wanted.sinceMs === null || tail !== null) return logStart;
  return positionAt(logs, of, wanted.sinceMs);
}

export function logFilter(key: TaskKey, asked: Pick<LogQuestion, "attempt" | "stream">): LogFilter {
  return { task: key.task, attempt: asked.attempt, stream: asked.stream };
}

/** What comes now was read after what is asked for, and so was all that comes then. */
function isLater(chunk: LogChunk, { wanted: { untilMs } }: LogQuestion): boolean {
  return untilMs !== null && chunk.at >= untilMs + logDisorderMs;
}
