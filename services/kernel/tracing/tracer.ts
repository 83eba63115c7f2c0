/**
 * What roles trace with. A span's context is a `traceparent`, because it travels as one: in requests, events and
 * grants. Nothing is kept in the background of a call: who causes something says so.
 */

export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export interface Span {
  /** Of this span, for what it causes; null when nobody traces. */
  readonly traceparent: string | null;
  set(attributes: SpanAttributes): void;
  /** Ends it; once. With an error it is marked as failed. */
  end(error?: unknown): void;
}

export interface SpanOptions {
  /** `traceparent` of what caused it; null begins a trace. */
  readonly parent: string | null;
  readonly kind?: "server" | "client" | "internal" | "producer" | "consumer";
  readonly attributes?: SpanAttributes;
}

export interface Tracer {
  /** False: no span is ever recorded, and what would only feed one can be left out. */
  readonly on: boolean;
  startSpan(name: string, options: SpanOptions): Span;
  /** Sends what is left, for a bounded time. */
  stop(): Promise<void>;
}

const noSpan: Span = { traceparent: null, set: () => undefined, end: () => undefined };

/** For what runs without an endpoint to send traces to: costs a call. */
export const noTracer: Tracer = { on: false, startSpan: () => noSpan, stop: async () => undefined };

/** A span that belongs to a cause; none where there is no cause, as for tasks from before traces were known. */
export function childSpan(tracer: Tracer, name: string, options: SpanOptions): Span {
  return options.parent === null ? noSpan : tracer.startSpan(name, options);
}

/** Does `work` in a span that ends with it, as failed when it throws. */
export async function inSpan<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    const result = await work();
    span.end();
    return result;
  } catch (error) {
    span.end(error);
    throw error;
  }
}
