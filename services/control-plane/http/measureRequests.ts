import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Meter } from "../../kernel/metrics/metrics.ts";

/** What a client may put there is not bounded; these are. */
const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/**
 * Counts every answer by its route's template, with the time it took. An answer that is a stream is measured to
 * its first byte: how long somebody follows a log says nothing of the server.
 */
export function measureRequests(app: FastifyInstance, meter: Meter): void {
  const begunAfter = new WeakMap<FastifyRequest, number>();
  app.addHook("onSend", (request, reply, payload, done) => {
    if (isStream(payload)) begunAfter.set(request, reply.elapsedTime);
    done();
  });
  app.addHook("onResponse", (request, reply, done) => {
    const ms = begunAfter.get(request) ?? reply.elapsedTime;
    meter.observe("cazi_http_request_seconds", labelsOf(request, reply), ms / 1000);
    done();
  });
}

/** Labels of fixed sets alone: never an id, never text of a client. */
function labelsOf(request: FastifyRequest, reply: FastifyReply) {
  return {
    method: METHODS.has(request.method) ? request.method : "other",
    route: (request.is404 ? undefined : request.routeOptions.url) ?? "unmatched",
    status: String(reply.statusCode),
  };
}

function isStream(payload: unknown): boolean {
  return typeof payload === "object" && payload !== null && "pipe" in payload;
}
