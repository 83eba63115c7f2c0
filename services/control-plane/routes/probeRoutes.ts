import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { health } from "../../../schemas/api/health.ts";
import { routeSchema } from "../http/routeSchema.ts";
import type { ApiPorts } from "../ports.ts";

/** For machines that watch this one; no token, and nothing of any tenant. */
export async function probeRoutes(app: FastifyInstance, ports: Pick<ApiPorts, "unready">): Promise<void> {
  const tags = ["probes"];
  const content = { "application/json": health };
  app.get("/healthz", {
    schema: routeSchema({
      operationId: "healthz",
      summary: "Whether the process lives",
      tags,
      token: false,
      answers: { 200: { about: "It does.", content } },
    }),
    handler: async () => ({ status: "ok", reasons: [] }),
  });

  app.get("/readyz", {
    schema: routeSchema({
      operationId: "readyz",
      summary: "Whether the API can serve, and what is missing",
      tags,
      token: false,
      answers: { 200: { about: "It can.", content }, 503: { about: "It cannot.", content } },
    }),
    handler: async (_request, reply) => {
      const reasons = ports.unready();
      const ready = reasons.length === 0;
      return reply.code(ready ? 200 : 503).send({ status: ready ? "ok" : "unavailable", reasons });
    },
  });

  app.get("/openapi.json", {
    schema: routeSchema({
      operationId: "openapi",
      summary: "This document",
      tags,
      token: false,
      answers: { 200: { about: "OpenAPI 3.1.", content: { "application/json": z.looseObject({}) } } },
    }),
    handler: async (_request, reply) => reply.type("application/json").send(openApiText(app)),
  });
}

/** Made once, when first asked for: it takes a tenth of a second that a start does not have. */
function openApiText(app: FastifyInstance): string {
  let text = texts.get(app.server);
  if (text === undefined) {
    text = JSON.stringify(app.swagger());
    texts.set(app.server, text);
  }
  return text;
}

const texts = new WeakMap<object, string>();
