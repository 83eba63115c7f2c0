import type { FastifyInstance, FastifyRequest } from "fastify";
import type { TraceContext } from "../../domain/task/taskState.ts";
import { traceContextOf } from "../../kernel/tracing/traceContext.ts";
import type { Span, Tracer } from "../../kernel/tracing/tracer.ts";

/** Asked every few seconds by machines that look at nothing but the answer. */
const UNTRACED: ReadonlySet<string> = new Set(["/healthz", "/readyz", "/metrics"]);

const spans = new WeakMap<FastifyRequest, Span>();

/** Makes each request a span, named by its route's template. Without a tracer no request pays for it. */
export function traceRequests(app: FastifyInstance, tracer: Tracer): void {
  if (!tracer.on) return;
  app.addHook("onRequest", (request, _reply, done) => {
    const route = request.routeOptions.url;
    if (route !== undefined && !UNTRACED.has(route)) {
      const { traceparent } = traceContextOf(request.headers);
      const span = tracer.startSpan(`${request.method} ${route}`, {
        parent: traceparent,
        kind: "server",
        attributes: { "http.request.method": request.method, "http.route": route },
      });
      spans.set(request, span);
    }
    done();
  });
  app.addHook("onResponse", (request, reply, done) => {
    const span = spans.get(request);
    span?.set({ "http.response.status_code": reply.statusCode });
    span?.end(reply.statusCode >= 500 ? `answered ${reply.statusCode}` : undefined);
    done();
  });
}

/**
 * The context that a request causes things in: its own span where it has one, else what its caller sent. Neither
 * is null only for a caller without a trace while nobody traces.
 */
export function traceOf(request: FastifyRequest): TraceContext {
  const given = traceContextOf(request.headers);
  return { ...given, traceparent: spans.get(request)?.traceparent ?? given.traceparent };
}
