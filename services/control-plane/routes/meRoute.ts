import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { type Me, me } from "../../../schemas/api/people.ts";
import { toTimestampOrNull } from "../../../schemas/api/timestamp.ts";
import { principalOf } from "../http/authenticate.ts";
import { readQuery } from "../http/readRequest.ts";
import { routeSchema } from "../http/routeSchema.ts";
import type { Principal } from "../ports.ts";

/** Whom the caller's token speaks for. */
export async function meRoute(app: FastifyInstance): Promise<void> {
  app.get("/v1/me", {
    config: { role: "viewer" },
    schema: routeSchema({
      operationId: "get_me",
      summary: "Whom the token speaks for, and what it may do",
      tags: ["people"],
      problems: ["REQUEST_INVALID"],
      answers: { 200: { about: "Who.", content: { "application/json": me } } },
    }),
    handler: async (request) => {
      readQuery(z.strictObject({}), request);
      return meOf(principalOf(request));
    },
  });
}

function meOf({ tenant, actor, accountable = null, role, installation, token }: Principal): Me {
  const installation_admin = installation === true && role === "admin";
  const shown = token && { id: token.id, name: token.name, expires_at: toTimestampOrNull(token.expiresAt) };
  return { tenant, actor, accountable, role, installation_admin, token: shown ?? null };
}
