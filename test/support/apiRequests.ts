/** The API from outside: requests by `fetch`, as any client makes them. */
import type { Page } from "../../schemas/api/page.ts";
import type { Task, TaskSummary } from "../../schemas/api/task.ts";
import type { ApiTaskEvent } from "../../schemas/api/taskEvent.ts";
import { waitFor } from "./waitFor.ts";

export interface Answer<T = unknown> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
}

export interface ProblemBody {
  readonly code: string;
  readonly status: number;
  readonly errors?: readonly { readonly pointer: string; readonly message: string }[];
  readonly [field: string]: unknown;
}

interface RequestOptions {
  readonly body?: string | Uint8Array | object;
  readonly headers?: Readonly<Record<string, string>>;
  /** Null: none. */
  readonly token?: string | null;
}

export interface ApiRequests {
  request<T = unknown>(method: string, path: string, options?: RequestOptions): Promise<Answer<T>>;
  /** Submits; throws unless it is accepted. */
  submit(spec: object, headers?: Readonly<Record<string, string>>): Promise<Task>;
  task(id: string): Promise<Task>;
  /** Every event of a task, oldest first. */
  events(id: string): Promise<readonly ApiTaskEvent[]>;
  list(query?: string): Promise<Page<TaskSummary>>;
  cancel(id: string): Promise<Answer<Task>>;
  raw(id: string, stream?: "stdout" | "stderr"): Promise<{ headers: Headers; bytes: Buffer }>;
  /** Waits for the task's end. An API that is away for a while is asked again. */
  ended(id: string, deadlineMs?: number): Promise<Task>;
  hasStatus(id: string, ...statuses: readonly string[]): Promise<Task>;
}

const jsonType = { "content-type": "application/json" };

/**
 * @param server asked at each request: a product that starts again has another address
 * @param way in place of the platform's own `fetch`
 */
export function apiRequests(
  server: () => { readonly url: string; readonly token: string },
  way: typeof fetch = fetch,
): ApiRequests {
  async function send(method: string, path: string, options: RequestOptions = {}): Promise<Response> {
    const { url, token } = server();
    const { body } = options;
    const isText = typeof body === "string" || body instanceof Uint8Array;
    const shown = options.token === undefined ? token : options.token;
    return await way(`${url}${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : jsonType),
        ...(shown === null ? {} : { authorization: `Bearer ${shown}` }),
        ...options.headers,
      },
      ...(body === undefined ? {} : { body: isText ? (body as string) : JSON.stringify(body) }),
    });
  }
  async function request<T>(method: string, path: string, options?: RequestOptions): Promise<Answer<T>> {
    const response = await send(method, path, options);
    const text = await response.text();
    const isJson = /json/.test(response.headers.get("content-type") ?? "");
    return {
      status: response.status,
      headers: response.headers,
      body: (isJson ? JSON.parse(text) : text) as T,
    };
  }
  async function good<T>(method: string, path: string, options?: RequestOptions): Promise<T> {
    const answer = await request<T>(method, path, options);
    if (answer.status >= 300) {
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    }
    return answer.body;
  }
  const task = (id: string) => good<Task>("GET", `/v1/tasks/${id}`);
  return {
    request,
    submit: (spec, headers = {}) => good("POST", "/v1/tasks", { body: spec, headers }),
    task,
    events: async (id) => (await good<Page<ApiTaskEvent>>("GET", `/v1/tasks/${id}/events?limit=200`)).data,
    list: (query = "") => good("GET", `/v1/tasks${query}`),
    cancel: (id) => request("POST", `/v1/tasks/${id}/cancel`, { body: {} }),
    raw: async (id, stream = "stdout") => {
      const response = await send("GET", `/v1/tasks/${id}/output/raw?stream=${stream}`);
      if (response.status !== 200) throw new Error(`raw output of ${id}: ${response.status}`);
      return { headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
    },
    ended: (id, deadlineMs = 60_000) =>
      waitFor(
        `task ${id} to end`,
        async () => {
          const now = await good<Task>("GET", `/v1/tasks/${id}?wait=5`);
          return now.finished_at === null ? null : now;
        },
        { deadlineMs, pollMs: 100 },
      ),
    hasStatus: (id, ...statuses) =>
      waitFor(
        `task ${id} to be ${statuses.join(" or ")}`,
        async () => {
          const now = await task(id);
          return statuses.includes(now.status) ? now : null;
        },
        { deadlineMs: 60_000, pollMs: 50 },
      ),
  };
}
