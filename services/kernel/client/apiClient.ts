/**
 * The API as functions: what the command line and the MCP server stand on. It holds no decisions. Answers have
 * the types of `schemas/api` and are not checked against them: an answer may grow.
 */
import { randomUUID } from "node:crypto";
import { headers as names } from "../../../schemas/api/headers.ts";
import type { Health } from "../../../schemas/api/health.ts";
import type { LogEntry } from "../../../schemas/api/logEntry.ts";
import type { Node } from "../../../schemas/api/node.ts";
import type { Page } from "../../../schemas/api/page.ts";
import type { SubmittedTask } from "../../../schemas/api/submittedTask.ts";
import type { Task, TaskSummary } from "../../../schemas/api/task.ts";
import type { ApiTaskEvent } from "../../../schemas/api/taskEvent.ts";
import type { TaskOutput } from "../../../schemas/api/taskOutput.ts";
import { type FollowOptions, followLogs } from "./followLogs.ts";
import { createHttp, type HttpOptions, requestTimeoutMs } from "./http.ts";

export interface SpecText {
  readonly text: string;
  readonly mediaType: "application/yaml" | "application/json";
}

/** The parameters of a page. */
export interface PageOptions {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface ListOptions extends PageOptions {
  readonly status?: readonly string[] | undefined;
  readonly label?: readonly string[] | undefined;
  readonly name?: string | undefined;
}

export interface LogOptions {
  readonly after?: string | undefined;
  readonly limit?: number | undefined;
  readonly tail?: number | undefined;
  readonly attempt?: number | undefined;
  readonly stream?: "stdout" | "stderr" | undefined;
}

export interface RawOptions {
  readonly stream?: "stdout" | "stderr" | undefined;
  readonly attempt?: number | undefined;
}

interface Signalled {
  readonly signal?: AbortSignal | undefined;
}

interface Keyed extends Signalled {
  /** The same key and request create once, for ever; a random one unless given. */
  readonly idempotencyKey?: string | undefined;
}

/** Every function throws `Rejection` or `Retryable` with the code of the API's problem document. */
export interface ApiClient {
  readonly url: string;
  submitTask(spec: SpecText, options?: Keyed): Promise<SubmittedTask>;
  replayTask(id: string, options?: Keyed): Promise<SubmittedTask>;
  /** With `waitSeconds`, answers when the task is over or that time has passed. */
  getTask(id: string, options?: Signalled & { readonly waitSeconds?: number }): Promise<Task>;
  cancelTask(id: string, reason: string | null, options?: Signalled): Promise<Task>;
  listTasks(options?: ListOptions): Promise<Page<TaskSummary>>;
  listTaskEvents(id: string, options?: PageOptions): Promise<Page<ApiTaskEvent>>;
  getTaskLogs(id: string, options?: LogOptions): Promise<Page<LogEntry>>;
  followTaskLogs(id: string, options?: FollowOptions): AsyncGenerator<readonly LogEntry[], void, undefined>;
  getTaskOutput(id: string): Promise<TaskOutput>;
  /** The bytes themselves, with the headers `Cazi-Complete`, `Cazi-Truncated` and `Cazi-Dropped`. */
  getRawOutput(id: string, options?: RawOptions): Promise<Response>;
  listNodes(options?: PageOptions): Promise<Page<Node>>;
  /** What `/readyz` says, also when it says no. */
  readiness(): Promise<Health>;
}

/** @param options.fetch and `options.random` are powers of the caller: `fetch` and `Math.random` outside tests */
export function createApiClient(options: HttpOptions): ApiClient {
  const http = createHttp(options);
  const task = (id: string, rest = "") => `/v1/tasks/${encodeURIComponent(id)}${rest}`;
  const keyed = (key: string = randomUUID()) => ({ [names.idempotencyKey]: key });
  const get = <T>(path: string, query: object = {}) =>
    http.json<T>({ method: "GET", path, query: { ...query } });

  return {
    url: options.url,
    submitTask: (spec, { idempotencyKey, signal } = {}) =>
      http.json({ method: "POST", path: "/v1/tasks", body: spec, headers: keyed(idempotencyKey), signal }),
    replayTask: (id, { idempotencyKey, signal } = {}) =>
      http.json({ method: "POST", path: task(id, "/replay"), headers: keyed(idempotencyKey), signal }),
    getTask: (id, { waitSeconds = 0, signal } = {}) =>
      http.json({
        method: "GET",
        path: task(id),
        query: { wait: waitSeconds },
        signal,
        timeoutMs: requestTimeoutMs + waitSeconds * 1000,
      }),
    cancelTask: (id, reason, { signal } = {}) =>
      http.json({
        method: "POST",
        path: task(id, "/cancel"),
        body: { text: JSON.stringify({ reason }), mediaType: "application/json" },
        signal,
      }),
    listTasks: (query) => get("/v1/tasks", query),
    listTaskEvents: (id, query) => get(task(id, "/events"), query),
    getTaskLogs: (id, query) => get(task(id, "/logs"), query),
    followTaskLogs: (id, follow) => followLogs(http, { id, url: options.url, clock: options.clock }, follow),
    getTaskOutput: (id) => get(task(id, "/output")),
    getRawOutput: (id, query) =>
      http.send({ method: "GET", path: task(id, "/output/raw"), query: { ...query } }),
    listNodes: (query) => get("/v1/nodes", query),
    readiness: () => readiness(options),
  };
}

async function readiness(options: HttpOptions): Promise<Health> {
  const once = createHttp({ ...options, fetch: acceptUnready(options.fetch) });
  return once.json<Health>({ method: "GET", path: "/readyz", budgetMs: 0 });
}

/** "Not ready" is an answer of `/readyz`, not a failure to give one. */
function acceptUnready(inner: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await inner(input, init);
    return response.status === 503 ? new Response(response.body, { status: 200 }) : response;
  };
}
