import type { FastifyInstance, FastifyRequest } from "fastify";
import {
  changeUser,
  createUser,
  peopleQuery,
  tenantQuery,
  user,
  userPage,
  userParams,
} from "../../../schemas/api/people.ts";
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
import { userNotFound } from "../people/administerUsers.ts";
import type { ApiPorts } from "../ports.ts";

const tags = ["people"];
const config = { role: "admin" } as const;
const aUser = { "application/json": user };
const ofOne = [...ofPeople, "USER_NOT_FOUND"];

/** A tenant's users, for its admins. */
export async function userRoutes(
  app: FastifyInstance,
  ports: Pick<ApiPorts, "people" | "clock">,
): Promise<void> {
  allUsers(app, ports);
  oneUser(app, ports);
}

function allUsers(app: FastifyInstance, { people, clock }: Pick<ApiPorts, "people" | "clock">): void {
  app.get("/v1/users", {
    config,
    schema: routeSchema({
      operationId: "list_users",
      summary: "List users, by name",
      tags,
      querystring: peopleQuery,
      problems: [...ofPeople, "CURSOR_INVALID"],
      answers: { 200: { about: "A page of users.", content: { "application/json": userPage } } },
    }),
    handler: async (request) => {
      const { tenant, ...page } = readQuery(peopleQuery, request);
      return people.listUsers(tenantAsked(request, tenant), page);
    },
  });

  app.post("/v1/users", {
    config,
    schema: routeSchema({
      operationId: "create_user",
      summary: "Add a user",
      tags,
      headers: keyHeader,
      querystring: tenantQuery,
      body: createUser,
      problems: [...ofPeople, "USER_EXISTS", ...ofMaking, ...ofBody],
      answers: { 201: { about: "The user.", content: aUser, headers: madeHeaders } },
    }),
    handler: async (request, reply) => {
      const tenant = tenantInQuery(request);
      const by = creatingBy(request, { route: "POST /v1/users", tenant, nowMs: clock.now() });
      const made = await people.createUser(tenant, readBody(createUser, request), by);
      return sendMade(reply, made, `/v1/users/${made.value.name}`);
    },
  });
}

function oneUser(app: FastifyInstance, { people }: Pick<ApiPorts, "people">): void {
  app.get("/v1/users/:name", {
    config,
    schema: routeSchema({
      operationId: "get_user",
      summary: "One user",
      tags,
      params: userParams,
      querystring: tenantQuery,
      problems: ofOne,
      answers: { 200: { about: "The user.", content: aUser } },
    }),
    handler: async (request) => people.getUser(tenantInQuery(request), nameOf(request)),
  });

  app.patch("/v1/users/:name", {
    config,
    schema: routeSchema({
      operationId: "change_user",
      summary: "Change a user's role, display name or login",
      description: "What is not named stays. A lower role is in force at once for all tokens of the user.",
      tags,
      params: userParams,
      querystring: tenantQuery,
      body: changeUser,
      problems: [...ofOne, "USER_EXISTS", ...ofBody],
      answers: { 200: { about: "The user.", content: aUser } },
    }),
    handler: async (request) =>
      people.changeUser(tenantInQuery(request), nameOf(request), readBody(changeUser, request)),
  });

  app.delete("/v1/users/:name", {
    config,
    schema: routeSchema({
      operationId: "remove_user",
      summary: "Remove a user",
      description: "The user's tokens and sign-ins are worth nothing from now on; the record stays.",
      tags,
      params: userParams,
      querystring: tenantQuery,
      problems: ofOne,
      answers: { 200: { about: "What it was.", content: aUser } },
    }),
    handler: async (request) => people.removeUser(tenantInQuery(request), nameOf(request)),
  });
}

/** What cannot be a name is no user. */
function nameOf(request: FastifyRequest): string {
  const read = userParams.safeParse(request.params);
  if (read.success) return read.data.name;
  throw userNotFound();
}
