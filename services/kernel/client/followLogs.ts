/** A task's output as it comes, over any number of broken connections. */
import { setTimeout as pause } from "node:timers/promises";
import type { LogEntry } from "../../../schemas/api/logEntry.ts";
import type { Clock } from "../clock.ts";
import { CaziError } from "../errors.ts";
import type { Http, HttpRequest } from "./http.ts";
import { awayMaxMs, pauseMs, sseConnection } from "./sseConnection.ts";
import type { SseMessage } from "./sseParser.ts";

/** Where reading a task's output begins, and which lines. */
export interface LogSelection {
  readonly after?: string | undefined;
  readonly offset?: number | undefined;
  readonly since?: string | undefined;
  readonly tail?: number | undefined;
  readonly attempt?: number | undefined;
  readonly stream?: "stdout" | "stderr" | undefined;
  readonly grep?: string | undefined;
  readonly ignore_case?: boolean | undefined;
}

export interface FollowOptions extends LogSelection {
  readonly signal?: AbortSignal | undefined;
}

/**
 * Entries in order, each once, as many at a time as came together (a step a line costs more than the line), until the task is over and all its output was read. A broken connection is taken
 * up after the last entry that was given.
 * @throws what the request throws; `API_UNREACHABLE` after 60 s without the server
 */
export async function* followLogs(
  http: Http,
  of: { readonly id: string; readonly url: string; readonly clock: Clock },
  options: FollowOptions = {},
): AsyncGenerator<readonly LogEntry[], void, undefined> {
  let position: string | null = null;
  let lastContactMs = of.clock.monotonicMs();
  for (;;) {
    try {
      for await (const messages of sseConnection(http, requestOf(of.id, options, position), of.url)) {
        lastContactMs = of.clock.monotonicMs();
        const end = messages.findIndex((message) => message.event === "end");
        const entries = (end < 0 ? messages : messages.slice(0, end))
          .map(entryOf)
          .filter((one) => one !== null);
        if (entries.length > 0) yield entries;
        position = entries.at(-1)?.position ?? position;
        if (end >= 0) return;
      }
    } catch (error) {
      if (!(error instanceof CaziError) || error.family !== "retryable") throw error;
      if (of.clock.monotonicMs() - lastContactMs > awayMaxMs) throw error;
    }
    await pause(pauseMs, undefined, options.signal === undefined ? {} : { signal: options.signal });
  }
}

function requestOf(id: string, options: FollowOptions, position: string | null): HttpRequest {
  const { after, offset, since, tail, signal, ...lines } = options;
  const start = position === null ? { after, offset, since, tail } : {};
  return {
    method: "GET",
    path: `/v1/tasks/${encodeURIComponent(id)}/logs`,
    query: { follow: true, ...lines, ...start },
    headers: { accept: "text/event-stream", ...(position === null ? {} : { "last-event-id": position }) },
    signal,
  };
}

/** Null for what is no entry, such as a note that older output was pruned. */
function entryOf(message: SseMessage): LogEntry | null {
  const value: unknown = JSON.parse(message.data);
  if (typeof value !== "object" || value === null || !("position" in value) || !("stream" in value))
    return null;
  return value as LogEntry;
}
