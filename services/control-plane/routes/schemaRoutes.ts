import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { schemaPage, schemaParams } from "../../../schemas/api/feed.ts";
import { findSchema } from "../../../schemas/taskEvents.ts";
import { Rejection } from "../../kernel/errors.ts";
import { listSchemas } from "../feed/listSchemas.ts";
import { routeSchema } from "../http/routeSchema.ts";

/** Released schemas never change, and hold nothing of any tenant: no token, and kept by whoever likes. */
const FOR_EVER = "public, max-age=31536000, immutable";

/** The schemas of events: what a subscriber decodes with. */
export async function schemaRoutes(app: FastifyInstance): Promise<void> {
  const tags = ["feed"];
  app.get("/v1/schemas", {
    schema: routeSchema({
      operationId: "list_schemas",
      summary: "Every schema that a stored event may have",
      tags,
      token: false,
      answers: { 200: { about: "All of them.", content: { "application/json": schemaPage } } },
    }),
    handler: async () => ({ data: listSchemas(), next_cursor: null }),
  });

  app.get("/v1/schemas/:fingerprint", {
    schema: routeSchema({
      operationId: "get_schema",
      summary: "The text of a schema",
      description: "Avro, self-contained. The same for ever, so that a subscriber asks once.",
      tags,
      params: schemaParams,
      token: false,
      answers: { 200: { about: "The schema.", content: { "application/json": z.looseObject({}) } } },
    }),
    handler: async (request, reply) => {
      const read = schemaParams.safeParse(request.params);
      const schema = read.success ? findSchema(read.data.fingerprint) : undefined;
      if (schema === undefined) {
        throw new Rejection("SCHEMA_NOT_FOUND", "There is no schema with this fingerprint.", {
          hint: "GET /v1/schemas lists all. A fingerprint is 16 hex digits, the most significant byte first.",
        });
      }
      const tag = `"${schema.sha256}"`;
      reply.header("Cache-Control", FOR_EVER).header("ETag", tag);
      if (request.headers["if-none-match"]?.includes(tag)) return reply.code(304).send();
      return reply.type("application/json").send(schema.text);
    },
  });
}
