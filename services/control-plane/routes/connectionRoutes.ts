import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import {
  type ApiConnection,
  connection,
  connectionList,
  connectionParams,
  putConnection,
  removeConnectionQuery,
} from "../../../schemas/api/connection.ts";
import { toTimestamp } from "../../../schemas/api/timestamp.ts";
import { type Connection, shortValues } from "../../kernel/connections/connectionRecord.ts";
import type { ConnectionKey } from "../../kernel/connections/connectionStore.ts";
import { Rejection } from "../../kernel/errors.ts";
import { SECRET_BYTES_MIN } from "../../kernel/redaction/secretForms.ts";
import { principalOf } from "../http/authenticate.ts";
import { readQuery } from "../http/readRequest.ts";
import { requestInvalid } from "../http/requestInvalid.ts";
import { ofBody } from "../http/routeProblems.ts";
import { routeSchema } from "../http/routeSchema.ts";
import type { ApiPorts } from "../ports.ts";

const tags = ["connections"];
const one = { "application/json": connection };

/** Stored secrets for tasks. A value goes in, and never comes out. */
export async function connectionRoutes(
  app: FastifyInstance,
  { connections }: Pick<ApiPorts, "connections">,
): Promise<void> {
  app.get("/v1/connections", {
    config: { role: "viewer" },
    schema: routeSchema({
      operationId: "list_connections",
      summary: "List connections, by name",
      tags,
      problems: ["REQUEST_INVALID", "CONNECTIONS_UNAVAILABLE"],
      answers: {
        200: { about: "All of the tenant, without values.", content: { "application/json": connectionList } },
      },
    }),
    handler: async (request) => {
      readQuery(z.strictObject({}), request);
      return { data: (await connections.list(principalOf(request).tenant)).map(viewOf) };
    },
  });

  app.get("/v1/connections/:name", {
    config: { role: "viewer" },
    schema: routeSchema({
      operationId: "get_connection",
      summary: "One connection, without its values",
      tags,
      params: connectionParams,
      problems: ["CONNECTION_NOT_FOUND", "CONNECTIONS_UNAVAILABLE"],
      answers: { 200: { about: "The connection.", content: one } },
    }),
    handler: async (request) => {
      const found = await connections.get(keyOf(request));
      if (found === null) throw notFound();
      return viewOf(found);
    },
  });

  app.put("/v1/connections/:name", {
    config: { role: "admin" },
    schema: routeSchema({
      operationId: "put_connection",
      summary: "Store a connection",
      description: "Replaces all of it. Tasks that are granted from now on have the new values.",
      tags,
      params: connectionParams,
      body: putConnection,
      problems: ["REQUEST_INVALID", "CONNECTION_VALUE_SHORT", "CONNECTIONS_UNAVAILABLE", ...ofBody],
      answers: { 200: { about: "Replaced.", content: one }, 201: { about: "New.", content: one } },
    }),
    handler: async (request, reply) => {
      const key = keyOf(request);
      const { description, ...values } = readValues(request);
      refuseShort(shortValues(values));
      const by = principalOf(request).actor;
      const { connection: stored, created } = await connections.put(key, { values, description, by });
      return reply.code(created ? 201 : 200).send(viewOf(stored));
    },
  });

  removeRoute(app, connections);
}

function removeRoute(app: FastifyInstance, connections: ApiPorts["connections"]): void {
  app.delete("/v1/connections/:name", {
    config: { role: "admin" },
    schema: routeSchema({
      operationId: "remove_connection",
      summary: "Remove a connection",
      description: "Tasks that name it and have not started yet end with the reason connection_missing.",
      tags,
      params: connectionParams,
      querystring: removeConnectionQuery,
      problems: ["REQUEST_INVALID", "CONNECTION_NOT_FOUND", "CONNECTIONS_UNAVAILABLE"],
      answers: { 204: { about: "Removed.", content: {} } },
    }),
    handler: async (request, reply) => {
      const { forget } = readQuery(removeConnectionQuery, request);
      if (!(await connections.remove(keyOf(request), { forget: forget === "true" }))) throw notFound();
      return reply.code(204).send();
    },
  });
}

/** As any body, but what is said of a wrong one repeats nothing of it. @throws Rejection `REQUEST_INVALID` */
function readValues(request: FastifyRequest): z.output<typeof putConnection> {
  const read = putConnection.safeParse(request.body ?? {});
  if (read.success) return read.data;
  const known = Object.keys(putConnection.shape);
  throw requestInvalid({ name: "body", input: withoutValues(request.body), known }, read.error);
}

/** What is stored here is promised to be masked in output. @throws Rejection `CONNECTION_VALUE_SHORT` */
function refuseShort(pointers: readonly string[]): void {
  if (pointers.length === 0) return;
  throw new Rejection(
    "CONNECTION_VALUE_SHORT",
    `Nothing was stored: a secret has at least ${SECRET_BYTES_MIN} bytes, since shorter ones cannot be masked in output.`,
    {
      hint: "Take a longer one; what is no secret, such as a user's name or a port, belongs into the spec's `environment`.",
      fields: { minimum_bytes: SECRET_BYTES_MIN },
      details: pointers.map((pointer) => ({ pointer, message: `has fewer than ${SECRET_BYTES_MIN} bytes` })),
    },
  );
}

function withoutValues(value: unknown): unknown {
  if (typeof value === "number") return 0;
  if (typeof value === "string") return "";
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutValues);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withoutValues(inner)]));
}

function keyOf(request: FastifyRequest): ConnectionKey {
  const read = connectionParams.safeParse(request.params);
  if (!read.success)
    throw requestInvalid({ name: "path", input: request.params, known: ["name"] }, read.error);
  return { tenant: principalOf(request).tenant, name: read.data.name };
}

function viewOf({ created_at, updated_at, ...rest }: Connection): ApiConnection {
  const onlyPulls = rest.environment.length === 0 && rest.files.length === 0;
  return {
    ...rest,
    kind: onlyPulls ? "registry" : "secrets",
    created_at: toTimestamp(created_at),
    updated_at: toTimestamp(updated_at),
  };
}

function notFound(): Rejection {
  return new Rejection("CONNECTION_NOT_FOUND", "There is no such connection.", {
    hint: "`cazi connection list` shows the names.",
  });
}
