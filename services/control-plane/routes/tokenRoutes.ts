import type { FastifyInstance, FastifyRequest } from "fastify";
import {
  createdToken,
  createToken,
  peopleQuery,
  tenantQuery,
  token,
  tokenPage,
  tokenParams,
} from "../../../schemas/api/people.ts";
import { principalOf } from "../http/authenticate.ts";
import {
  creatingBy,
  keyHeader,
  madeHeaders,
  ofMaking,
  ofPeople,
  sendMade,
  tenantAsked,
  tenantInQuery,
} from "../http/peopleRequest.ts";
import { readBody, readQuery } from "../http/readRequest.ts";
import { ofBody } from "../http/routeProblems.ts";
import { routeSchema } from "../http/routeSchema.ts";
import { tokenNotFound } from "../people/administerTokens.ts";
import type { ApiPorts } from "../ports.ts";

const tags = ["people"];
const config = { role: "admin" } as const;
const aToken = { "application/json": token };
const ofOne = [...ofPeople, "TOKEN_NOT_FOUND"];

/** A tenant's tokens, for its admins. */
export async function tokenRoutes(
  app: FastifyInstance,
  ports: Pick<ApiPorts, "people" | "clock">,
): Promise<void> {
  allTokens(app, ports);
  oneToken(app, ports);
}

function allTokens(app: FastifyInstance, { people, clock }: Pick<ApiPorts, "people" | "clock">): void {
  app.get("/v1/tokens", {
    config,
    schema: routeSchema({
      operationId: "list_tokens",
      summary: "List tokens, newest first",
      tags,
      querystring: peopleQuery,
      problems: [...ofPeople, "CURSOR_INVALID"],
      answers: { 200: { about: "A page of tokens.", content: { "application/json": tokenPage } } },
    }),
    handler: async (request) => {
      const { tenant, ...page } = readQuery(peopleQuery, request);
      return people.listTokens(tenantAsked(request, tenant), page);
    },
  });

  app.post("/v1/tokens", {
    config,
    schema: routeSchema({
      operationId: "create_token",
      summary: "Make a token",
      description: "The answer holds the token itself, this once: only its SHA-256 is stored.",
      tags,
      headers: keyHeader,
      querystring: tenantQuery,
      body: createToken,
      problems: [...ofPeople, "USER_NOT_FOUND", "TOKEN_INVALID", ...ofMaking, ...ofBody],
      answers: {
        201: { about: "The token.", content: { "application/json": createdToken }, headers: madeHeaders },
      },
    }),
    handler: async (request, reply) => {
      const tenant = tenantInQuery(request);
      const by = creatingBy(request, { route: "POST /v1/tokens", tenant, nowMs: clock.now() });
      const made = await people.createToken(tenant, readBody(createToken, request), by);
      return sendMade(reply, made, `/v1/tokens/${made.value.id}`);
    },
  });
}

function oneToken(app: FastifyInstance, { people }: Pick<ApiPorts, "people">): void {
  app.get("/v1/tokens/:id", {
    config,
    schema: routeSchema({
      operationId: "get_token",
      summary: "One token, without the token itself",
      tags,
      params: tokenParams,
      querystring: tenantQuery,
      problems: ofOne,
      answers: { 200: { about: "The token.", content: aToken } },
    }),
    handler: async (request) => people.getToken(tenantInQuery(request), idOf(request)),
  });

  app.delete("/v1/tokens/:id", {
    config,
    schema: routeSchema({
      operationId: "revoke_token",
      summary: "Revoke a token",
      description: "At once and for ever, on every server of the API. Revoking again changes nothing.",
      tags,
      params: tokenParams,
      querystring: tenantQuery,
      problems: [...ofOne, "TOKENS_UNREACHABLE"],
      answers: { 200: { about: "The token, revoked.", content: aToken } },
    }),
    handler: async (request) =>
      people.revokeToken(tenantInQuery(request), idOf(request), principalOf(request).actor),
  });
}

/** What cannot be an id is no token. */
function idOf(request: FastifyRequest): string {
  const read = tokenParams.safeParse(request.params);
  if (read.success) return read.data.id;
  throw tokenNotFound();
}
