/** One request to the API, sent again within a budget where that is safe and can help. */
import { setTimeout as pause } from "node:timers/promises";
import { headers as names } from "../../../schemas/api/headers.ts";
import type { Clock } from "../clock.ts";
import { CaziError, Retryable } from "../errors.ts";
import { problemError } from "./problemError.ts";
import { pauseBeforeRetry } from "./retryPolicy.ts";

/** Beyond the server's own bounds for an acknowledgement (10 s) and for a ledger append (15 s). */
export const requestTimeoutMs = 40_000;

export interface HttpOptions {
  /** Base of the API, such as `http://127.0.0.1:7070`. */
  readonly url: string;
  readonly token: string;
  /** Recorded as the door the request came through. */
  readonly route: "cli" | "mcp";
  readonly clock: Clock;
  readonly random: () => number;
  readonly fetch: typeof fetch;
}

export interface HttpRequest {
  readonly method: "GET" | "POST";
  /** Begins with a slash; no query. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;
  readonly body?: { readonly text: string; readonly mediaType: string };
  readonly headers?: Readonly<Record<string, string>>;
  /** Ends the request, and the retries. */
  readonly signal?: AbortSignal | undefined;
  /** Until the answer's head; {@link requestTimeoutMs} unless given. */
  readonly timeoutMs?: number;
  /** 0 sends once only. */
  readonly budgetMs?: number;
}

export interface Http {
  /** @throws Rejection or Retryable with the problem's code; `API_UNREACHABLE` when nothing answers */
  send(request: HttpRequest): Promise<Response>;
  json<T>(request: HttpRequest): Promise<T>;
}

export function createHttp(options: HttpOptions): Http {
  let reached = false;

  async function once(request: HttpRequest): Promise<Response> {
    const { timeoutMs = requestTimeoutMs, signal } = request;
    const late = new AbortController();
    const timer = setTimeout(
      () => late.abort(new Error(`no answer within ${timeoutMs / 1000} s`)),
      timeoutMs,
    );
    const signals = signal === undefined ? [late.signal] : [late.signal, signal];
    try {
      const response = await options.fetch(urlOf(options.url, request), {
        method: request.method,
        headers: headersOf(options, request),
        signal: AbortSignal.any(signals),
        redirect: "error",
        ...(request.body === undefined ? {} : { body: request.body.text }),
      });
      reached = true;
      return response;
    } catch (error) {
      signal?.throwIfAborted();
      throw unreachable(options.url, error);
    } finally {
      clearTimeout(timer);
    }
  }

  /** One try: the value, or why not and whether the server named a time to come back. */
  async function attempt<T>(
    request: HttpRequest,
    read: (response: Response) => Promise<T>,
  ): Promise<Tried<T>> {
    let retryAfterMs: number | null = null;
    try {
      const response = await once(request);
      if (response.ok) return { value: await readBody(options.url, request, () => read(response)) };
      retryAfterMs = retryAfter(response.headers.get("retry-after"));
      return { error: problemError(response.status, await problemBody(response)), retryAfterMs };
    } catch (error) {
      if (!(error instanceof CaziError)) throw error;
      return { error, retryAfterMs };
    }
  }

  async function retried<T>(request: HttpRequest, read: (response: Response) => Promise<T>): Promise<T> {
    const began = options.clock.monotonicMs();
    for (let pauses = 0; ; pauses++) {
      const tried = await attempt(request, read);
      if ("value" in tried) return tried.value;
      const pauseMs = pauseBeforeRetry({
        ...tried,
        pauses,
        elapsedMs: options.clock.monotonicMs() - began,
        reached,
        random: options.random(),
        ...(request.budgetMs === undefined ? {} : { budgetMs: request.budgetMs }),
      });
      if (pauseMs === null) throw tried.error;
      await pause(pauseMs, undefined, request.signal === undefined ? {} : { signal: request.signal });
    }
  }

  return {
    send: (request) => retried(request, async (response) => response),
    json: <T>(request: HttpRequest) => retried(request, async (response) => (await response.json()) as T),
  };
}

type Tried<T> = { readonly value: T } | { readonly error: CaziError; readonly retryAfterMs: number | null };

function urlOf(base: string, request: HttpRequest): URL {
  const url = new URL(base.replace(/\/+$/, "") + request.path);
  for (const [name, value] of Object.entries(request.query ?? {})) {
    if (value === undefined) continue;
    for (const one of Array.isArray(value) ? value : [value]) url.searchParams.append(name, String(one));
  }
  return url;
}

function headersOf(options: HttpOptions, request: HttpRequest): Record<string, string> {
  return {
    accept: "application/json, application/problem+json",
    authorization: `Bearer ${options.token}`,
    [names.route]: options.route,
    ...(request.body === undefined ? {} : { "content-type": request.body.mediaType }),
    ...request.headers,
  };
}

/** A connection that breaks inside the answer is a lost answer: whoever asked may ask again. */
async function readBody<T>(url: string, request: HttpRequest, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    request.signal?.throwIfAborted();
    throw unreachable(url, error);
  }
}

async function problemBody(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    return null;
  }
}

function retryAfter(header: string | null): number | null {
  return header !== null && /^\d{1,4}$/.test(header) ? Number(header) * 1000 : null;
}

/** `API_UNREACHABLE`; `fields.refused` is true when nothing listens there at all. */
export function unreachable(url: string, cause: unknown): Retryable {
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  const code = (inner as NodeJS.ErrnoException | null)?.code ?? "";
  const refused = ["ECONNREFUSED", "ENOTFOUND", "EHOSTUNREACH", "ENETUNREACH", "EAI_AGAIN"].includes(code);
  const why = code || (inner instanceof Error ? inner.message : String(inner));
  return new Retryable("API_UNREACHABLE", `no answer from ${url} (${why})`, {
    hint: "Start Cazi with `npm start`, or correct CAZI_URL.",
    fields: { refused },
    cause,
  });
}
