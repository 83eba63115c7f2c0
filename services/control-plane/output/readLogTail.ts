import type { LogPage } from "../../../schemas/api/logEntry.ts";
import type { Task } from "../../../schemas/api/task.ts";
import { ofItsNode } from "../../kernel/logs/exactBytes.ts";
import type { LogFilter } from "../../kernel/logs/logSource.ts";
import type { SecretSet } from "../../kernel/redaction/secretMasker.ts";
import { logLineBytesMax, logTailChunks } from "../limits.ts";
import type { ApiPorts } from "../ports.ts";
import { OutputAssembler } from "./assembleOutput.ts";
import { type Back, chunkAfter, filterOf, seqBack } from "./findInLogs.ts";
import { LastEntries, Scanned } from "./logEntryPages.ts";
import { formatPosition, type LogPosition, logStart } from "./logPosition.ts";
import type { LogQuestion } from "./logQuestion.ts";
import { isAllRead, isLongOver, lastEntries, streamsOf } from "./outputEnd.ts";
import { secretsOf } from "./secretsOf.ts";
import { Sieve } from "./sieve.ts";

type TailPorts = Pick<ApiPorts, "logs" | "connections" | "clock"> & {
  readonly scanBytesMax?: number | undefined;
};

interface TailOf {
  readonly task: Task;
  readonly filter: LogFilter;
  readonly asked: Pick<LogQuestion, "wanted">;
  readonly tail: number;
}

/**
 * The last entries: of the last few chunks, and of four times as many while those hold too few. So it costs what it
 * shows, however long the output is; a search goes back `logScanBytesMax` at most.
 * @returns the page, and the position after it
 * @throws Retryable `LOGS_UNAVAILABLE`
 */
export async function readLogTail(
  ports: TailPorts,
  of: TailOf,
): Promise<{ readonly page: LogPage; readonly after: LogPosition }> {
  for (let want = logTailChunks; ; ) {
    const back = await seqBack(ports.logs, of.filter, want);
    const read = await readFrom(ports, of, back);
    const factor = Math.min(4, Math.floor(read.room));
    if (read.isWhole || factor < 2) {
      const { assembler, entries, all } = read;
      const next_cursor = all ? null : formatPosition(assembler.position);
      return { page: { data: entries, next_cursor, partial: !read.isWhole }, after: assembler.position };
    }
    want *= factor;
  }
}

async function readFrom(ports: TailPorts, of: TailOf, back: Back) {
  const { task, filter, asked } = of;
  const scanned = new Scanned(ports.scanBytesMax);
  const reading = await ports.logs.read(filter, back.startSeq);
  const secrets = await secretsOf(ports, task);
  const assembler = await beginWithin(ports, of, { back, secrets });
  const page = new LastEntries(of.tail);
  let { pending } = reading;
  let oldest: number | null = null;
  for await (const chunk of reading.chunks) {
    pending = chunk.pending;
    oldest ??= chunk.at;
    scanned.add(chunk);
    if (ofItsNode(chunk, task)) page.add(assembler.take(chunk));
    // It grows faster than it is read.
    if (scanned.room < 0.5) break;
  }
  const all =
    isAllRead(task, filter, { assembler, pending }) || (pending === 0 && isLongOver(ports.clock, task));
  if (all) page.add(lastEntries(task, filter, assembler));
  const { sinceMs } = asked.wanted;
  const isBeforeSince = sinceMs !== null && oldest !== null && oldest < sinceMs;
  const isWhole = page.isWhole || back.isFirst || isBeforeSince;
  return { assembler, entries: page.entries, all, isWhole, room: scanned.room };
}

/**
 * Reads of each stream what is before a place and belongs to lines that end after it. Those may have begun far before:
 * a stream that is silent while the other is not.
 */
async function beginWithin(
  { logs }: TailPorts,
  { task, filter, asked }: TailOf,
  { back, secrets }: { readonly back: Back; readonly secrets: SecretSet },
): Promise<OutputAssembler> {
  const reading = { secrets, sieve: new Sieve(asked.wanted), withoutRest: true };
  if (back.isFirst) return new OutputAssembler(logStart, reading);
  const { reach } = secrets;
  const firsts = await Promise.all(
    streamsOf(filter).map((stream) => logs.next({ ...filter, stream }, back.startSeq)),
  );
  const own = firsts.flatMap((one) => (one !== null && ofItsNode(one, task) ? [one] : []));
  const attempt = Math.min(...own.map((one) => one.attempt));
  if (!Number.isFinite(attempt)) return new OutputAssembler(logStart, reading);
  const begun = own.filter((one) => one.attempt === attempt);
  const position = { attempt, stdout: 0, stderr: 0 };
  for (const { stream, offset } of begun) position[stream] = Math.max(0, offset - logLineBytesMax);
  const assembler = new OutputAssembler(position, reading);
  for (const first of begun) {
    const { stream } = first;
    const before = filterOf({ task, filter, reach }, attempt, stream);
    const from = await chunkAfter(logs, before, Math.max(0, position[stream] - reach));
    if (from === null || from.seq >= first.seq) continue;
    const earlier = await logs.read(before, from.seq);
    for await (const chunk of earlier.chunks) {
      if (chunk.seq >= first.seq) break;
      assembler.take(chunk);
    }
  }
  return assembler;
}
