/** One call by any protocol: what it may be ended by, and how it tells that it goes on. */
import type { Clock } from "../services/kernel/clock.ts";

export interface Progress {
  /** Grows with each notice. */
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

export interface Call {
  /** Aborted when the caller gives up. What was submitted goes on. */
  readonly signal: AbortSignal;
  /** Tells the caller how far it is; null when the caller did not ask. */
  readonly progress: ((now: Progress) => Promise<void>) | null;
  /** W3C trace context of the caller's span; null when there is none. */
  readonly traceparent: string | null;
  readonly clock: Clock;
}

/** A notification of the protocol. */
export interface Notice {
  readonly method: string;
  readonly params: Record<string, unknown>;
}

/**
 * A call as a request of the protocol describes it, in any of its versions.
 * @param of.meta the request's `_meta`
 * @param of.notify sends a notification that belongs to this request
 */
export function callOf(of: {
  readonly signal: AbortSignal;
  readonly meta: Readonly<Record<string, unknown>> | undefined;
  readonly clock: Clock;
  notify(notice: Notice): Promise<void>;
}): Call {
  const { signal, clock, meta = {} } = of;
  const { progressToken, traceparent } = meta;
  const asked = typeof progressToken === "string" || typeof progressToken === "number";
  const progress = (now: Progress) =>
    // A notice that cannot be sent any more must not fail the call: its answer says the same and more.
    of.notify({ method: "notifications/progress", params: { progressToken, ...now } }).catch(() => undefined);
  return { signal, clock, progress: asked ? progress : null, traceparent: validTraceparent(traceparent) };
}

/** `00-<32 hex>-<16 hex>-<2 hex>`, W3C Trace Context level 1; anything else is not passed on. Pure. */
export function validTraceparent(value: unknown): string | null {
  const shape = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;
  return typeof value === "string" && shape.test(value) ? value : null;
}

/** `fetch` that says to which span of the caller its requests belong. */
export function tracedFetch(inner: typeof fetch, traceparent: string | null): typeof fetch {
  if (traceparent === null) return inner;
  return (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set("traceparent", traceparent);
    return inner(input, { ...init, headers });
  };
}
