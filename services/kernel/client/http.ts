/** One request to the API, sent again within a budget where that is safe and can help. */
import { setTimeout as pause } from "node:timers/promises";
import createTypedClient, { type Client } from "openapi-fetch";
import { headers as names } from "../../../schemas/api/headers.ts";
import type { Clock } from "../clock.ts";
import { type CaziError, Rejection, Retryable } from "../errors.ts";
import type { paths } from "./generated/openapi.ts";
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

export interface CallOptions {
  /** Ends the request, and the retries. */
  readonly signal?: AbortSignal | undefined;
  /** Until the answer's head; {@link requestTimeoutMs} unless given. */
  readonly timeoutMs?: number;
  /** 0 sends once only. */
  readonly budgetMs?: number;
}

/** A request whose answer is read as it comes. */
export interface HttpRequest extends CallOptions {
  readonly method: "GET" | "POST";
  /** Begins with a slash; no query. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The API's requests, typed by its OpenAPI document. */
export type Api = Client<paths, "application/json">;

/** An answer of the typed client. */
interface Answered<T> {
  readonly data?: T | undefined;
  readonly error?: unknown;
  readonly response: Response;
}

export interface Http {
  /** @throws Rejection or Retryable with the problem's code; `API_UNREACHABLE` when nothing answers */
  send(request: HttpRequest): Promise<Response>;
  /**
   * One request of the typed client.
   * @param make called once for each try
   * @throws as {@link Http.send}
   */
  call<T>(make: (api: Api) => Promise<Answered<T>>, options?: CallOptions): Promise<T>;
}

export function createHttp(options: HttpOptions): Http {
  let reached = false;

  /** `fetch` with a deadline for the answer's head. */
  function timed({ timeoutMs = requestTimeoutMs, signal }: CallOptions) {
    return async (url: URL | string, init: RequestInit): Promise<Response> => {
      const late = new AbortController();
      const timer = setTimeout(
        () => late.abort(new Error(`no answer within ${timeoutMs / 1000} s`)),
        timeoutMs,
      );
      const signals = signal === undefined ? [late.signal] : [late.signal, signal];
      try {
        const response = await options.fetch(url, {
          ...init,
          signal: AbortSignal.any(signals),
          redirect: "error",
        });
        reached = true;
        return response;
      } finally {
        clearTimeout(timer);
      }
    };
  }

  /** One try: the value, or why not and whether the server named a time to come back. */
  async function attempt<T>(call: CallOptions, act: () => Promise<Answered<T>>): Promise<Tried<T>> {
    try {
      const { data, error, response } = await act();
      if (response.ok) return { value: data as T };
      const retryAfterMs = retryAfter(response.headers.get("retry-after"));
      return { error: problemError(response.status, error), retryAfterMs };
    } catch (error) {
      call.signal?.throwIfAborted();
      // Also a connection that breaks inside the answer: a lost answer, and whoever asked may ask again.
      return { error: unreachable(options.url, error), retryAfterMs: null };
    }
  }

  async function retried<T>(call: CallOptions, act: () => Promise<Answered<T>>): Promise<T> {
    const began = options.clock.monotonicMs();
    for (let pauses = 0; ; pauses++) {
      const tried = await attempt(call, act);
      if ("value" in tried) return tried.value;
      const pauseMs = pauseBeforeRetry({
        ...tried,
        pauses,
        elapsedMs: options.clock.monotonicMs() - began,
        reached,
        random: options.random(),
        ...(call.budgetMs === undefined ? {} : { budgetMs: call.budgetMs }),
      });
      if (pauseMs === null) throw tried.error;
      await pause(pauseMs, undefined, call.signal === undefined ? {} : { signal: call.signal });
    }
  }

  return {
    send: (request) => {
      const fetch = timed(request);
      const init = { method: request.method, headers: headersOf(options, request.headers) };
      return retried(request, async () => {
        const response = await fetch(urlOf(options.url, request), init);
        return response.ok ? { data: response, response } : { error: await problemBody(response), response };
      });
    },
    call: (make, call = {}) => {
      const api = typedClient(options, timed(call));
      return retried(call, () => make(api));
    },
  };
}

/** Requests are built as plain values: one of the platform's own would wrap the body and the signal once more. */
class PlannedRequest {
  readonly url: string;
  readonly init: RequestInit;

  constructor(url: string, init: RequestInit) {
    this.url = url;
    this.init = init;
  }
}

function typedClient(
  options: HttpOptions,
  fetch: (url: string, init: RequestInit) => Promise<Response>,
): Api {
  return createTypedClient<paths, "application/json">({
    baseUrl: options.url.replace(/\/+$/, ""),
    headers: headersOf(options),
    Request: PlannedRequest as unknown as typeof Request,
    fetch: (request) => {
      const { url, init } = request as unknown as PlannedRequest;
      return fetch(url, init);
    },
  });
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

function headersOf(
  options: HttpOptions,
  more: Readonly<Record<string, string>> = {},
): Record<string, string> {
  return {
    accept: "application/json, application/problem+json",
    authorization: `Bearer ${options.token}`,
    [names.route]: options.route,
    ...more,
  };
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

/**
 * `API_UNREACHABLE`; `fields.refused` is true when nothing listens there at all. A Rejection where `fetch` refuses the
 * address itself, as for a port that it never asks: no waiting cures that.
 */
export function unreachable(url: string, cause: unknown): CaziError {
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  const code = (inner as NodeJS.ErrnoException | null)?.code ?? "";
  const refused = ["ECONNREFUSED", "ENOTFOUND", "EHOSTUNREACH", "ENETUNREACH", "EAI_AGAIN"].includes(code);
  if (isRefusedByFetch(cause, code)) {
    // Its own sentence may quote the address, with a password in it.
    const why = inner === cause ? "it is no address without a user and password" : (inner as Error).message;
    return new Rejection("API_UNREACHABLE", `no request can be sent to ${withoutUser(url)} (${why})`, {
      hint: "Set CAZI_URL to the address that the API listens on, such as http://127.0.0.1:7070.",
      cause,
    });
  }
  const why = code || (inner instanceof Error ? inner.message : String(inner));
  return new Retryable("API_UNREACHABLE", `no answer from ${url} (${why})`, {
    hint: "Start Cazi with `npm start`, or correct CAZI_URL.",
    fields: { refused },
    cause,
  });
}

/** What the network does has a code; a body that breaks off is "terminated". */
function isRefusedByFetch(error: unknown, code: string): boolean {
  if (!(error instanceof TypeError) || error.message === "terminated") return false;
  return code === "" || code === "ERR_INVALID_URL";
}

function withoutUser(url: string): string {
  return url.replace(/\/\/[^/]*@/, "//");
}
