import type { LogEntry, TaskLogsQuery } from "../../../schemas/api/logEntry.ts";
import type { Page } from "../../../schemas/api/page.ts";
import type { Task } from "../../../schemas/api/task.ts";
import { Rejection } from "../../kernel/errors.ts";
import type { TaskKey } from "../../kernel/ledger/taskLedger.ts";
import { ofItsNode } from "../../kernel/logs/exactBytes.ts";
import type { LogFilter } from "../../kernel/logs/logSource.ts";
import { logPageBytesMax, logTailMs } from "../limits.ts";
import type { ApiPorts } from "../ports.ts";
import { findTaskInLedger } from "../tasks/findTask.ts";
import { OutputAssembler } from "./assembleOutput.ts";
import { type LogPlaces, OpenChunks } from "./logPlaces.ts";
import { formatPosition, type LogPosition, logStart, parsePosition } from "./logPosition.ts";
import { isAllRead, lastEntries } from "./outputEnd.ts";
import { secretsOf } from "./secretsOf.ts";

type LogPorts = Pick<ApiPorts, "ledger" | "logs" | "clock" | "pendingReason" | "connections"> & {
  readonly places: LogPlaces;
};

/**
 * A page of a task's output as lines. Lines that have not ended yet are left for a later page, unless nothing
 * can follow.
 * @throws Rejection `TASK_NOT_FOUND`, `TASK_ERASED`, `REQUEST_INVALID`; Retryable `LOGS_UNAVAILABLE`
 */
export async function readLogPage(
  ports: LogPorts,
  key: TaskKey,
  query: TaskLogsQuery,
): Promise<Page<LogEntry>> {
  if (query.tail !== undefined && query.after !== undefined) {
    throw new Rejection("REQUEST_INVALID", "tail and after cannot be used together.", {
      details: [{ pointer: "/tail", message: "is not for use together with after" }],
    });
  }
  const task = await findTaskInLedger(ports, key);
  const filter = logFilter(key, query);
  const after = (query.after === undefined ? null : parsePosition(query.after)) ?? logStart;
  const page = query.tail === undefined ? new FirstEntries(query.limit) : new LastEntries(query.tail);
  const reading = await ports.logs.read(filter, ports.places.find(filter, after));
  const secrets = await secretsOf(ports, task);
  const assembler = new OutputAssembler(after, secrets);
  const open = new OpenChunks(secrets.reach);
  let { pending } = reading;
  for await (const chunk of reading.chunks) {
    pending = chunk.pending;
    open.take(chunk, page.position ?? after);
    if (ofItsNode(chunk, task)) page.add(assembler.take(chunk));
    if (page.full) break;
  }
  const all = !page.full && (isAllRead(task, filter, { assembler, pending }) || isLongOver(ports, task));
  if (all) page.add(lastEntries(task, filter, assembler));
  const data = page.entries;
  if (all && !page.full) return { data, next_cursor: null };
  const last = page.position ?? after;
  ports.places.remember(filter, last, Math.max(open.startSeq(last), ports.places.find(filter, after)));
  return { data, next_cursor: formatPosition(last) };
}

export function logFilter(key: TaskKey, query: Pick<TaskLogsQuery, "attempt" | "stream">): LogFilter {
  return { task: key.task, attempt: query.attempt ?? null, stream: query.stream ?? null };
}

/** What has not come so long after the end will not come. */
function isLongOver(ports: LogPorts, task: Task): boolean {
  return task.finished_at !== null && ports.clock.now() - Date.parse(task.finished_at) > logTailMs;
}

/** The first `limit` entries, fewer when they are long. */
class FirstEntries {
  readonly entries: LogEntry[] = [];
  full = false;
  #bytes = 0;
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** After the last entry. */
  get position(): LogPosition | null {
    return positionOf(this.entries);
  }

  add(entries: readonly LogEntry[]): void {
    for (const entry of entries) {
      if (this.entries.length >= this.#limit || this.#bytes >= logPageBytesMax) {
        this.full = true;
        return;
      }
      this.entries.push(entry);
      this.#bytes += entry.text.length;
    }
  }
}

/** The last `limit` entries, fewer when they are long. Never full. */
class LastEntries {
  #kept: LogEntry[] = [];
  #bytes = 0;
  readonly full = false;
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get entries(): LogEntry[] {
    return this.#kept;
  }

  get position(): LogPosition | null {
    return positionOf(this.#kept);
  }

  add(entries: readonly LogEntry[]): void {
    for (const entry of entries) {
      this.#kept.push(entry);
      this.#bytes += entry.text.length;
    }
    let drop = Math.max(0, this.#kept.length - this.#limit);
    for (let index = 0; index < drop; index++) this.#bytes -= this.#kept[index]!.text.length;
    while (this.#bytes > logPageBytesMax && drop < this.#kept.length - 1) {
      this.#bytes -= this.#kept[drop++]!.text.length;
    }
    if (drop > 0) this.#kept = this.#kept.slice(drop);
  }
}

function positionOf(entries: readonly LogEntry[]): LogPosition | null {
  const last = entries.at(-1);
  return last === undefined ? null : parsePosition(last.position);
}
