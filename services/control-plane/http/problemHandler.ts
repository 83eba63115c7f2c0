import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { problemMediaType } from "../../../schemas/api/problem.ts";
import { CaziError, Rejection } from "../../kernel/errors.ts";
import type { Log } from "../../kernel/log.ts";
import { bodyDiscardBytesMax, retryAfterSeconds } from "../limits.ts";
import { watchMethods } from "./allowedMethods.ts";
import { toProblem } from "./problem.ts";

/** Answers every failure as a problem document; the cause of what is our fault goes to the log alone. */
export function installProblemHandler(app: FastifyInstance, log: Log): void {
  const methodsAt = watchMethods(app);
  app.setErrorHandler((error: unknown, request, reply) => sendProblem({ error, request, reply, log }));
  app.setNotFoundHandler((request, reply) => {
    const methods = methodsAt(request.url.split("?", 1)[0]!);
    if (methods.length > 0) reply.header("Allow", methods.join(", "));
    const error = methods.length > 0 ? wrongMethod(methods) : nothingThere();
    return sendProblem({ error, request, reply, log });
  });
}

function wrongMethod(methods: readonly string[]): Rejection {
  return new Rejection("METHOD_NOT_ALLOWED", "There is something at this address, but not for this method.", {
    hint: `Use ${methods.join(" or ")}.`,
  });
}

function nothingThere(): Rejection {
  return new Rejection("NOT_FOUND", "There is nothing at this address.", {
    hint: "/openapi.json lists what there is.",
  });
}

/** Answers a request that has no route, or whose answer went wrong, as a problem. */
export function sendProblem(of: {
  readonly error: unknown;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly log: Log;
}): FastifyReply {
  const { error, request, reply, log } = of;
  const problem = toProblem(error, request.id);
  const facts = {
    correlation_id: request.id,
    method: request.method,
    route: request.routeOptions.url ?? null,
    code: problem.code,
  };
  if (problem.status >= 500)
    log[problem.status === 503 ? "warn" : "error"]({ ...facts, error }, "a request failed");
  else log.debug(facts, "a request was refused");
  if (problem.code === "BODY_TOO_LARGE") readToTheEnd(request, reply);
  if (problem.status === 503) reply.header("Retry-After", retryAfterSeconds);
  if (problem.code === "QUOTA_EXCEEDED") sayWhenAgain(reply, error);
  if (problem.status === 401) reply.header("WWW-Authenticate", 'Bearer realm="cazi"');
  return reply
    .code(problem.status)
    .type(problemMediaType)
    .serializer((payload: unknown) => JSON.stringify(payload))
    .send(problem);
}

/** As for limits of rate: which one, that nothing is left of it, and when to come again. */
function sayWhenAgain(reply: FastifyReply, error: unknown): void {
  if (!(error instanceof CaziError)) return;
  const seconds = Math.ceil(Number(error.fields.retry_after_ms) / 1000);
  reply.header("Retry-After", seconds).header("RateLimit", `"${error.fields.limit}";r=0;t=${seconds}`);
}

/**
 * A client that is still sending does not read the answer: closing on it turns the refusal into a broken pipe. So
 * what is left of a body of bearable size is read and thrown away, within the time any request has.
 */
function readToTheEnd(request: FastifyRequest, reply: FastifyReply): void {
  const length = Number(request.headers["content-length"]);
  if (!(length <= bodyDiscardBytesMax)) return;
  reply.removeHeader("connection");
  request.raw.resume();
}
