import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { rotateKeysRequest, type SigningKeyList, signingKeyList } from "../../../schemas/api/signingKey.ts";
import { toTimestamp, toTimestampOrNull } from "../../../schemas/api/timestamp.ts";
import { readBody, readQuery } from "../http/readRequest.ts";
import { ofBody } from "../http/routeProblems.ts";
import { routeSchema } from "../http/routeSchema.ts";
import type { KeyView } from "../identity/identity.ts";
import type { ApiPorts } from "../ports.ts";

/** The keys that workload tokens are signed with. */
export async function keyRoutes(
  app: FastifyInstance,
  { identity }: Pick<ApiPorts, "identity">,
): Promise<void> {
  const content = { "application/json": signingKeyList };
  app.get("/v1/keys", {
    config: { role: "admin", installation: true },
    schema: routeSchema({
      operationId: "list_keys",
      summary: "List the signing keys of workload tokens",
      tags: ["identity"],
      problems: ["REQUEST_INVALID", "INSTALLATION_ONLY"],
      answers: { 200: { about: "The keys, oldest first.", content } },
    }),
    handler: async (request) => {
      readQuery(z.strictObject({}), request);
      return listOf(identity.keys());
    },
  });

  app.post("/v1/keys/rotate", {
    config: { role: "admin", installation: true },
    schema: routeSchema({
      operationId: "rotate_keys",
      summary: "Have another key sign workload tokens",
      description:
        "The new key is published at once and signs once verifiers had time to read it; the old one stays published until its last token has ended. Asking again while that is under way changes nothing.",
      tags: ["identity"],
      body: rotateKeysRequest,
      problems: ["REQUEST_INVALID", "INSTALLATION_ONLY", "KEYS_UNAVAILABLE", ...ofBody],
      answers: { 200: { about: "The keys as they are now.", content } },
    }),
    handler: async (request) => {
      const { now, replaces } = readBody(rotateKeysRequest, request);
      return listOf(await identity.rotate({ soon: now, replaces }));
    },
  });
}

function listOf(keys: readonly KeyView[]): SigningKeyList {
  return {
    data: keys.map(({ kid, state, createdAt, signsFrom, until }) => ({
      kid,
      state,
      created_at: toTimestamp(createdAt),
      signs_from: toTimestamp(signsFrom),
      until: toTimestampOrNull(until),
    })),
  };
}
