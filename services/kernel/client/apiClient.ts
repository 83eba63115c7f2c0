/**
 * The API as functions: what the command line and the MCP server stand on. It holds no decisions. Answers have
 * the types of `schemas/api` and are not checked against them: an answer may grow.
 */
import { randomUUID } from "node:crypto";
import type { Attempt } from "../../../schemas/api/attempt.ts";
import type { BulkAction, BulkPage, BulkPreview } from "../../../schemas/api/bulk.ts";
import type { Comparison } from "../../../schemas/api/comparison.ts";
import type { Health } from "../../../schemas/api/health.ts";
import type { LogEntry, LogPage } from "../../../schemas/api/logEntry.ts";
import type { DeclareNode, Node, RemovedNode } from "../../../schemas/api/node.ts";
import type { Page } from "../../../schemas/api/page.ts";
import type { SubmittedTask } from "../../../schemas/api/submittedTask.ts";
import type { Task, TaskSummary } from "../../../schemas/api/task.ts";
import type { ApiTaskEvent } from "../../../schemas/api/taskEvent.ts";
import type { TaskOutput } from "../../../schemas/api/taskOutput.ts";
import type { ErasedTask } from "../../../schemas/api/taskRequests.ts";
import type { ApiTaskStatus } from "../../../schemas/api/taskStatus.ts";
import { type ArtifactsClient, artifactsClient } from "./artifactsClient.ts";
import { type DeadLettersClient, deadLettersClient } from "./deadLettersClient.ts";
import { type FeedItem, type FollowFeedOptions, followFeed } from "./followFeed.ts";
import { type FollowOptions, followLogs, type LogSelection } from "./followLogs.ts";
import { createHttp, type HttpOptions, requestTimeoutMs } from "./http.ts";
import { type PeopleClient, peopleClient } from "./peopleClient.ts";
import { type SecretsClient, secretsClient } from "./secretsClient.ts";
import { type SubscribersClient, subscribersClient } from "./subscribersClient.ts";

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
  readonly status?: readonly ApiTaskStatus[] | undefined;
  readonly label?: readonly string[] | undefined;
  readonly name?: string | undefined;
  readonly image?: string | undefined;
  readonly node?: string | undefined;
  readonly source?: string | undefined;
  readonly replay_of?: string | undefined;
  readonly reason?: string | undefined;
  readonly exit_code?: number | undefined;
  /** Times of RFC 3339. */
  readonly submitted_after?: string | undefined;
  readonly submitted_before?: string | undefined;
  readonly finished_after?: string | undefined;
  readonly finished_before?: string | undefined;
}

export interface LogOptions extends LogSelection {
  readonly limit?: number | undefined;
  readonly until?: string | undefined;
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
export interface ApiClient
  extends PeopleClient,
    DeadLettersClient,
    SecretsClient,
    SubscribersClient,
    ArtifactsClient {
  readonly url: string;
  submitTask(spec: SpecText, options?: Keyed): Promise<SubmittedTask>;
  replayTask(id: string, options?: Keyed): Promise<SubmittedTask>;
  /** With `waitSeconds`, answers when the task is over or that time has passed. */
  getTask(id: string, options?: Signalled & { readonly waitSeconds?: number }): Promise<Task>;
  cancelTask(id: string, reason: string | null, options?: Signalled): Promise<Task>;
  eraseTask(id: string): Promise<ErasedTask>;
  /** What an action would be done to. */
  previewBulk(action: BulkAction, filter: Omit<ListOptions, "limit" | "cursor">): Promise<BulkPreview>;
  /** Does what a preview showed to the next of its tasks. */
  actInBulk(
    body: {
      readonly selection: string;
      readonly cursor?: string | undefined;
      readonly reason: string | null;
    },
    options?: Keyed,
  ): Promise<BulkPage>;
  listTasks(options?: ListOptions): Promise<Page<TaskSummary>>;
  listAttempts(id: string, options?: PageOptions): Promise<Page<Attempt>>;
  listTaskEvents(id: string, options?: PageOptions): Promise<Page<ApiTaskEvent>>;
  getTaskLogs(id: string, options?: LogOptions): Promise<LogPage>;
  followTaskLogs(id: string, options?: FollowOptions): AsyncGenerator<readonly LogEntry[], void, undefined>;
  /** The tenant's events as they come, for ever. */
  followFeed(options?: FollowFeedOptions): AsyncGenerator<readonly FeedItem[], void, undefined>;
  getTaskOutput(id: string): Promise<TaskOutput>;
  /** The bytes themselves, with the headers `Cazi-Complete`, `Cazi-Truncated` and `Cazi-Dropped`. */
  getRawOutput(id: string, options?: RawOptions): Promise<Response>;
  /** A task that is over with another; with the one that it replays unless another is named. */
  compareTasks(id: string, other?: string): Promise<Comparison>;
  listNodes(options?: PageOptions): Promise<Page<Node>>;
  getNode(name: string): Promise<Node>;
  /** Replaces what was declared; `account` null leaves the one that it has. */
  declareNode(name: string, declared: DeclareNode): Promise<Node>;
  setNodeState(name: string, state: Node["state"]): Promise<Node>;
  removeNode(name: string, options: { readonly force: boolean }): Promise<RemovedNode>;
  /** What `/readyz` says, also when it says no. */
  readiness(): Promise<Health>;
}

/** @param options.fetch and `options.random` are powers of the caller: `fetch` and `Math.random` outside tests */
export function createApiClient(options: HttpOptions): ApiClient {
  const http = createHttp(options);
  const call = http.call;
  const of = (id: string) => ({ path: { id } });
  const node = (name: string) => ({ path: { name } });
  const header = (key: string = randomUUID()) => ({ "idempotency-key": key });

  return {
    url: options.url,
    submitTask: ({ text, mediaType }, { idempotencyKey, signal } = {}) => {
      const headers = { "content-type": mediaType };
      const params = { header: header(idempotencyKey) };
      // The text itself goes out: what the document describes is what it says.
      const spec = { body: text as never, bodySerializer: () => text };
      return call((api) => api.POST("/v1/tasks", { params, headers, ...spec }), { signal });
    },
    replayTask: (id, { idempotencyKey, signal } = {}) => {
      const params = { ...of(id), header: header(idempotencyKey) };
      return call((api) => api.POST("/v1/tasks/{id}/replay", { params }), { signal });
    },
    getTask: (id, { waitSeconds = 0, signal } = {}) => {
      const params = { ...of(id), query: { wait: waitSeconds } };
      const timeoutMs = requestTimeoutMs + waitSeconds * 1000;
      return call((api) => api.GET("/v1/tasks/{id}", { params }), { signal, timeoutMs });
    },
    cancelTask: (id, reason, { signal } = {}) =>
      call((api) => api.POST("/v1/tasks/{id}/cancel", { params: of(id), body: { reason } }), { signal }),
    eraseTask: (id) => call((api) => api.DELETE("/v1/tasks/{id}", { params: of(id) })),
    previewBulk: (action, filter) =>
      call((api) => api.POST("/v1/tasks/bulk/preview", { body: { action, filter: given(filter) } })),
    actInBulk: (body, { idempotencyKey, signal } = {}) => {
      const params = { header: header(idempotencyKey) };
      return call((api) => api.POST("/v1/tasks/bulk", { params, body: given(body) }), { signal });
    },
    listTasks: (query) => call((api) => api.GET("/v1/tasks", { params: { query: given(query) } })),
    listAttempts: (id, query) =>
      call((api) => api.GET("/v1/tasks/{id}/attempts", { params: { ...of(id), query: given(query) } })),
    listTaskEvents: (id, query) =>
      call((api) => api.GET("/v1/tasks/{id}/events", { params: { ...of(id), query: given(query) } })),
    getTaskLogs: (id, query) =>
      call((api) => api.GET("/v1/tasks/{id}/logs", { params: { ...of(id), query: given(query) } })),
    followTaskLogs: (id, follow) => followLogs(http, { id, url: options.url, clock: options.clock }, follow),
    followFeed: (follow) => followFeed(http, { url: options.url, clock: options.clock }, follow),
    getTaskOutput: (id) => call((api) => api.GET("/v1/tasks/{id}/output", { params: of(id) })),
    getRawOutput: (id, query) =>
      http.send({
        method: "GET",
        path: `/v1/tasks/${encodeURIComponent(id)}/output/raw`,
        query: { ...query },
      }),
    compareTasks: (id, other) =>
      call((api) =>
        api.GET("/v1/tasks/{id}/comparison", { params: { ...of(id), query: given({ with: other }) } }),
      ),
    listNodes: (query) => call((api) => api.GET("/v1/nodes", { params: { query: given(query) } })),
    getNode: (name) => call((api) => api.GET("/v1/nodes/{name}", { params: node(name) })),
    declareNode: (name, body) => call((api) => api.PUT("/v1/nodes/{name}", { params: node(name), body })),
    setNodeState: (name, state) =>
      call((api) => api.PUT("/v1/nodes/{name}/state", { params: node(name), body: { state } })),
    removeNode: (name, { force }) => {
      const params = { ...node(name), query: { force: force ? ("true" as const) : ("false" as const) } };
      return call((api) => api.DELETE("/v1/nodes/{name}", { params }));
    },
    ...peopleClient(http),
    ...secretsClient(http),
    ...subscribersClient(http),
    ...artifactsClient(http),
    ...deadLettersClient(http),
    readiness: () => readiness(options),
  };
}

type Given<T> = { -readonly [K in keyof T]: Mutable<Exclude<T[K], undefined>> };
/** The generated types know no list that may not be changed. */
type Mutable<T> = T extends readonly (infer Item)[] ? Item[] : T;

/** The parameters that have a value. */
function given<T extends object>(query: T | undefined): Given<T> {
  return Object.fromEntries(
    Object.entries(query ?? {}).filter(([, value]) => value !== undefined),
  ) as unknown as Given<T>;
}

async function readiness(options: HttpOptions): Promise<Health> {
  const once = createHttp({ ...options, fetch: acceptUnready(options.fetch) });
  return once.call((api) => api.GET("/readyz"), { budgetMs: 0 });
}

/** "Not ready" is an answer of `/readyz`, not a failure to give one. */
function acceptUnready(inner: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await inner(input, init);
    return response.status === 503 ? new Response(response.body, { status: 200 }) : response;
  };
}
