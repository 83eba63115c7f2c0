import type { FastifyInstance, FastifyRequest } from "fastify";
import {
  changeTenant,
  createTenant,
  listTenantsQuery,
  tenant,
  tenantPage,
  tenantParams,
} from "../../../schemas/api/people.ts";
import { creatingBy, keyHeader, madeHeaders, ofMaking, sendMade } from "../http/peopleRequest.ts";
import { readBody, readQuery } from "../http/readRequest.ts";
import { ofBody } from "../http/routeProblems.ts";
import { routeSchema } from "../http/routeSchema.ts";
import { tenantNotFound } from "../people/administerTenants.ts";
import type { ApiPorts } from "../ports.ts";

const tags = ["people"];
const config = { role: "admin", installation: true } as const;
const forAdmins = "For admins of the installation: those of the tenant that CAZI_TENANT names.";
const aTenant = { "application/json": tenant };
const ofOne = ["ROLE_TOO_LOW", "INSTALLATION_ONLY", "TENANT_NOT_FOUND", "DATABASE_UNAVAILABLE"];

/** Tenants, for whoever runs the installation. */
export async function tenantRoutes(
  app: FastifyInstance,
  ports: Pick<ApiPorts, "people" | "clock" | "subscribers">,
): Promise<void> {
  allTenants(app, ports);
  oneTenant(app, ports);
}

function allTenants(app: FastifyInstance, { people, clock }: Pick<ApiPorts, "people" | "clock">): void {
  app.get("/v1/tenants", {
    config,
    schema: routeSchema({
      operationId: "list_tenants",
      summary: "List tenants, by name",
      description: forAdmins,
      tags,
      querystring: listTenantsQuery,
      problems: [...ofOne.slice(0, 2), "REQUEST_INVALID", "CURSOR_INVALID", "DATABASE_UNAVAILABLE"],
      answers: { 200: { about: "A page of tenants.", content: { "application/json": tenantPage } } },
    }),
    handler: async (request) => people.listTenants(readQuery(listTenantsQuery, request)),
  });

  app.post("/v1/tenants", {
    config,
    schema: routeSchema({
      operationId: "create_tenant",
      summary: "Add a tenant",
      description: forAdmins,
      tags,
      headers: keyHeader,
      body: createTenant,
      problems: [...ofOne.slice(0, 2), "TENANT_EXISTS", "REQUEST_INVALID", ...ofMaking, ...ofBody],
      answers: { 201: { about: "The tenant.", content: aTenant, headers: madeHeaders } },
    }),
    handler: async (request, reply) => {
      const wanted = readBody(createTenant, request);
      const of = { route: "POST /v1/tenants", tenant: people.home, nowMs: clock.now() };
      const made = await people.createTenant(wanted, creatingBy(request, of));
      return sendMade(reply, made, `/v1/tenants/${made.value.name}`);
    },
  });
}

function oneTenant(
  app: FastifyInstance,
  { people, subscribers }: Pick<ApiPorts, "people" | "subscribers">,
): void {
  app.get("/v1/tenants/:name", {
    config,
    schema: routeSchema({
      operationId: "get_tenant",
      summary: "One tenant",
      tags,
      params: tenantParams,
      problems: ofOne,
      answers: { 200: { about: "The tenant.", content: aTenant } },
    }),
    handler: async (request) => people.getTenant(nameOf(request)),
  });

  app.patch("/v1/tenants/:name", {
    config,
    schema: routeSchema({
      operationId: "change_tenant",
      summary: "Change a tenant's display name and limits",
      description: "What is not named stays. A limit of null is the installation's default again.",
      tags,
      params: tenantParams,
      body: changeTenant,
      problems: [...ofOne, "REQUEST_INVALID", ...ofBody],
      answers: { 200: { about: "The tenant.", content: aTenant } },
    }),
    handler: async (request) => people.changeTenant(nameOf(request), readBody(changeTenant, request)),
  });

  app.delete("/v1/tenants/:name", {
    config,
    schema: routeSchema({
      operationId: "remove_tenant",
      summary: "Remove a tenant",
      description:
        "Its tokens and sign-ins are worth nothing from now on, and its subscribers read nothing any more. Its tasks go on, and its record stays.",
      tags,
      params: tenantParams,
      problems: [...ofOne, "TENANT_IS_HOME", "NATS_UNAVAILABLE"],
      answers: { 200: { about: "What it was.", content: aTenant } },
    }),
    handler: async (request) => {
      const gone = await people.removeTenant(nameOf(request));
      await subscribers.endAll(gone.name);
      return gone;
    },
  });
}

/** What cannot be a name is no tenant. */
function nameOf(request: FastifyRequest): string {
  const read = tenantParams.safeParse(request.params);
  if (read.success) return read.data.name;
  throw tenantNotFound();
}
