import type { FastifyInstance } from "fastify";
import { z } from "zod";
import {
  rotateKeysRequest,
  type SigningKeyList,
  signingKeyList,
  signingKeyParams,
} from "../../../schemas/api/signingKey.ts";
import { toTimestamp, toTimestampOrNull } from "../../../schemas/api/timestamp.ts";
import { principalOf } from "../http/authenticate.ts";
import { readBody, readQuery } from "../http/readRequest.ts";
import { ofBody } from "../http/routeProblems.ts";
import { routeSchema } from "../http/routeSchema.ts";
import { type KeyView, keyNotFound } from "../identity/identity.ts";
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
  revokeRoute(app, identity);
}

function revokeRoute(app: FastifyInstance, identity: ApiPorts["identity"]): void {
  app.delete("/v1/keys/:kid", {
    config: { role: "admin", installation: true },
    schema: routeSchema({
      operationId: "revoke_key",
      summary: "Revoke a signing key that others may have",
      description:
        "It is published no more and what it signed is refused, at once; another signs. Containers that run keep a token that is worth nothing. Revoking again changes nothing.",
      tags: ["identity"],
      params: signingKeyParams,
      problems: ["INSTALLATION_ONLY", "KEY_NOT_FOUND", "KEYS_UNAVAILABLE"],
      answers: {
        200: { about: "The keys as they are now.", content: { "application/json": signingKeyList } },
      },
    }),
    handler: async (request) => {
      const read = signingKeyParams.safeParse(request.params);
      if (!read.success) throw keyNotFound();
      return listOf(await identity.revoke(read.data.kid, principalOf(request).actor));
    },
  });
}

function listOf(keys: readonly KeyView[]): SigningKeyList {
  return {
    data: keys.map(({ kid, state, createdAt, signsFrom, until, revoked }) => ({
      kid,
      state,
      created_at: toTimestamp(createdAt),
      signs_from: toTimestamp(signsFrom),
      until: toTimestampOrNull(until),
      revoked_at: toTimestampOrNull(revoked?.at ?? null),
      revoked_by: revoked?.by ?? null,
    })),
  };
}
