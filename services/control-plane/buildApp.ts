import helmet from "@fastify/helmet";
import fastify, { type FastifyInstance } from "fastify";
import { headers } from "../../schemas/api/headers.ts";
import { Rejection } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { admitRequest } from "./http/admit.ts";
import { endConnections } from "./http/endConnections.ts";
import { isAllowedHost } from "./http/hostHeader.ts";
import { measureRequests } from "./http/measureRequests.ts";
import { documentApi } from "./http/openApi.ts";
import { installProblemHandler, sendProblem } from "./http/problemHandler.ts";
import { requireDeclaredRoles } from "./http/requireRole.ts";
import { traceRequests } from "./http/traceRequests.ts";
import { answerUnreadable } from "./http/unreadableRequest.ts";
import { bodyBytesMax, endingMs, headerBytesMax, pathPartCharsMax, requestReceiveMs } from "./limits.ts";
import type { ApiPorts } from "./ports.ts";
import { artifactRoutes } from "./routes/artifactRoutes.ts";
import { asyncApiRoute } from "./routes/asyncApiRoute.ts";
import { attemptRoutes } from "./routes/attemptRoutes.ts";
import { bulkRoutes } from "./routes/bulkRoutes.ts";
import { cancelRoute } from "./routes/cancelRoute.ts";
import { comparisonRoute } from "./routes/comparisonRoute.ts";
import { connectionRoutes } from "./routes/connectionRoutes.ts";
import { deadLetterRoutes } from "./routes/deadLetterRoutes.ts";
import { eraseRoute } from "./routes/eraseRoute.ts";
import { feedRoutes } from "./routes/feedRoutes.ts";
import { fleetRoutes } from "./routes/fleetRoutes.ts";
import { keyRoutes } from "./routes/keyRoutes.ts";
import { mcpRoute } from "./routes/mcpRoute.ts";
import { meRoute } from "./routes/meRoute.ts";
import { metricsRoute } from "./routes/metricsRoute.ts";
import { nodeRoutes } from "./routes/nodeRoutes.ts";
import { outputRoutes } from "./routes/outputRoutes.ts";
import { probeRoutes } from "./routes/probeRoutes.ts";
import { problemRoutes } from "./routes/problemRoutes.ts";
import { schemaRoutes } from "./routes/schemaRoutes.ts";
import { submitRoutes } from "./routes/submitRoutes.ts";
import { subscriberRoutes } from "./routes/subscriberRoutes.ts";
import { taskRoutes } from "./routes/taskRoutes.ts";
import { tenantRoutes } from "./routes/tenantRoutes.ts";
import { tokenRoutes } from "./routes/tokenRoutes.ts";
import { userRoutes } from "./routes/userRoutes.ts";
import { wellKnownRoutes } from "./routes/wellKnownRoutes.ts";

/** The few pages of this server have no style, no script and no picture. */
const CONTENT_POLICY = "default-src 'none'; frame-ancestors 'none'";

/**
 * The API over its ports, not listening yet. A route reads its request, calls one function, and maps the result;
 * decisions are elsewhere.
 */
export async function buildApp(ports: ApiPorts): Promise<FastifyInstance> {
  const newCorrelationId = correlationIds(ports.clock.now());
  const app = fastify({
    // Headers that a proxy would set are not believed: nobody knows of a proxy here.
    trustProxy: false,
    bodyLimit: bodyBytesMax,
    // A file's name, percent-encoded, is the longest thing in a path.
    routerOptions: { maxParamLength: pathPartCharsMax },
    requestTimeout: requestReceiveMs,
    logger: false,
    requestIdHeader: false,
    genReqId: newCorrelationId,
    // A request without a host is refused below, as a problem.
    http: { maxHeaderSize: headerBytesMax, requireHostHeader: false },
    clientErrorHandler: answerUnreadable({ log: ports.log, newId: newCorrelationId }),
    // Long answers end by `stopping`; connections, as `endConnections` says.
    forceCloseConnections: "idle",
    // What still comes on a connection that is open is answered: the work would else be refused without a problem.
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => void sendProblem({ error, request, reply, log: ports.log }),
  });
  // Requests are validated by the handlers, answers are typed: the framework's schemas are for the document.
  endConnections(app, endingMs);
  app.setValidatorCompiler(() => (value) => ({ value }));
  app.setSerializerCompiler(() => (data) => JSON.stringify(data));
  app.decorateRequest("principal", null);
  // The policy never differs, so it is written once: helmet makes its own anew for every answer.
  await app.register(helmet, { contentSecurityPolicy: false });
  installProblemHandler(app, ports.log);
  measureRequests(app, ports.metrics);
  traceRequests(app, ports.tracer);
  app.addHook("onRequest", async (request, reply) => {
    reply.header(headers.correlationId, request.id).header("Content-Security-Policy", CONTENT_POLICY);
    // Whoever keeps connections opens the next one, where a server listens that stays.
    if (ports.draining.aborted) reply.header("Connection", "close");
    if (request.headers.host === undefined && request.raw.httpVersion === "1.1") throw hostMissing();
    if (!isAllowedHost(request.headers.host, ports.hosts)) throw hostNotAllowed();
  });
  await documentApi(app, "1");
  await app.register(async (open) => probeRoutes(open, ports));
  await app.register(async (open) => metricsRoute(open, ports));
  await app.register(async (open) => wellKnownRoutes(open, ports));
  await app.register(problemRoutes);
  await app.register(schemaRoutes);
  await app.register(asyncApiRoute);
  await app.register(async (own) => mcpRoute(own, ports));
  await app.register(async (guarded) => {
    guarded.addHook("onRequest", async (request, reply) => {
      request.principal = await admitRequest(ports, request, reply);
    });
    requireDeclaredRoles(guarded);
    await guardedRoutes(guarded, ports);
  });
  return app;
}

/** What a token and a role are asked for. */
async function guardedRoutes(guarded: FastifyInstance, ports: ApiPorts): Promise<void> {
  await guarded.register(async (scope) => submitRoutes(scope, ports));
  await guarded.register(async (scope) => taskRoutes(scope, ports));
  await guarded.register(async (scope) => attemptRoutes(scope, ports));
  await guarded.register(async (scope) => bulkRoutes(scope, ports));
  await guarded.register(async (scope) => cancelRoute(scope, ports));
  await guarded.register(async (scope) => eraseRoute(scope, ports));
  await guarded.register(async (scope) => outputRoutes(scope, ports));
  await guarded.register(async (scope) => artifactRoutes(scope, ports));
  await guarded.register(async (scope) => comparisonRoute(scope, ports));
  await guarded.register(async (scope) => nodeRoutes(scope, ports));
  await guarded.register(async (scope) => fleetRoutes(scope, ports));
  await guarded.register(async (scope) => keyRoutes(scope, ports));
  await guarded.register(async (scope) => connectionRoutes(scope, ports));
  await guarded.register(async (scope) => feedRoutes(scope, ports));
  await guarded.register(async (scope) => subscriberRoutes(scope, ports));
  await guarded.register(async (scope) => deadLetterRoutes(scope, ports));
  await guarded.register(meRoute);
  await guarded.register(async (scope) => tenantRoutes(scope, ports));
  await guarded.register(async (scope) => userRoutes(scope, ports));
  await guarded.register(async (scope) => tokenRoutes(scope, ports));
}

/** Unique over restarts, and cheap: every request has one. */
function correlationIds(nowMs: number): () => string {
  const start = newId(nowMs).slice(-8);
  let count = 0;
  return () => `${start}-${(++count).toString(36)}`;
}

function hostMissing(): Rejection {
  return new Rejection("REQUEST_MALFORMED", "The request has no Host header.", {
    hint: "Send the name and port that you connect to, as HTTP/1.1 asks.",
  });
}

function hostNotAllowed(): Rejection {
  return new Rejection("HOST_NOT_ALLOWED", "The Host header names another machine than this one.", {
    hint: "Use the address that the server printed.",
  });
}
