import type { FastifyInstance } from "fastify";
import { discoveryDocument, jsonWebKeySet } from "../../../schemas/api/signingKey.ts";
import { routeSchema } from "../http/routeSchema.ts";
import { keySetAgeSeconds } from "../limits.ts";
import type { ApiPorts } from "../ports.ts";

/** What verifiers of workload tokens read; no token, and nothing of any tenant. */
export async function wellKnownRoutes(
  app: FastifyInstance,
  { identity }: Pick<ApiPorts, "identity">,
): Promise<void> {
  const cached = { "Cache-Control": "For how long it may be kept." };
  app.get("/.well-known/jwks.json", {
    schema: routeSchema({
      operationId: "get_jwks",
      summary: "The public keys that workload tokens are checked with",
      tags: ["identity"],
      token: false,
      answers: {
        200: {
          about: "A JWK Set (RFC 7517).",
          content: { "application/jwk-set+json": jsonWebKeySet },
          headers: cached,
        },
      },
    }),
    handler: async (_request, reply) =>
      reply
        .header("Cache-Control", `public, max-age=${keySetAgeSeconds}`)
        .type("application/jwk-set+json")
        .send(identity.jwks()),
  });

  app.get("/.well-known/openid-configuration", {
    schema: routeSchema({
      operationId: "get_openid_configuration",
      summary: "What a verifier needs to know of the issuer",
      description: "OpenID Connect Discovery 1.0. Nobody logs in here: the tokens are those of containers.",
      tags: ["identity"],
      token: false,
      answers: {
        200: {
          about: "The document.",
          content: { "application/json": discoveryDocument },
          headers: cached,
        },
      },
    }),
    handler: async (_request, reply) =>
      reply
        .header("Cache-Control", `public, max-age=${keySetAgeSeconds}`)
        .type("application/json")
        .send(identity.discovery()),
  });
}
