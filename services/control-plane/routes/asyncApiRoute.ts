import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { asyncApiDocument } from "../feed/asyncApi.ts";
import { routeSchema } from "../http/routeSchema.ts";

/** The document of the feed on JetStream; no token, and nothing of any tenant. */
export async function asyncApiRoute(app: FastifyInstance): Promise<void> {
  // Made once, when first asked for.
  let text: string | null = null;
  app.get("/asyncapi.json", {
    schema: routeSchema({
      operationId: "asyncapi",
      summary: "The document of the public feed",
      tags: ["feed"],
      token: false,
      answers: { 200: { about: "AsyncAPI 3.0.", content: { "application/json": z.looseObject({}) } } },
    }),
    handler: async (_request, reply) => {
      text ??= JSON.stringify(asyncApiDocument("1"));
      return reply.type("application/json").send(text);
    },
  });
}
