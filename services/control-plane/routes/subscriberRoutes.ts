import type { FastifyInstance, FastifyRequest } from "fastify";
import { tenantQuery } from "../../../schemas/api/people.ts";
import {
  putSubscriber,
  type Subscriber,
  subscriber,
  subscriberList,
  subscriberParams,
} from "../../../schemas/api/subscriber.ts";
import { toTimestamp } from "../../../schemas/api/timestamp.ts";
import { Rejection } from "../../kernel/errors.ts";
import type { StoredSubscriber, SubscriberKey } from "../../kernel/subscribers/subscriberStore.ts";
import { principalOf } from "../http/authenticate.ts";
import { tenantInQuery } from "../http/peopleRequest.ts";
import { readBody } from "../http/readRequest.ts";
import { ofBody } from "../http/routeProblems.ts";
import { routeSchema } from "../http/routeSchema.ts";
import { tenantNotFound } from "../people/administerTenants.ts";
import type { ApiPorts } from "../ports.ts";

const tags = ["feed"];
const one = { "application/json": subscriber };
const ofAny = ["ROLE_TOO_LOW", "REQUEST_INVALID", "TENANT_NOT_FOUND", "NATS_UNAVAILABLE"];
/** The account is signed with the installation's keys, so it is for those who have them. */
const ofInstallation = { role: "admin", installation: true } as const;

type Ports = Pick<ApiPorts, "subscribers" | "people">;

/** Programs outside that read a tenant's feed from NATS. Their accounts and credentials are the command line's to make. */
export async function subscriberRoutes(app: FastifyInstance, ports: Ports): Promise<void> {
  readRoutes(app, ports);
  changeRoutes(app, ports);
}

function readRoutes(app: FastifyInstance, { subscribers }: Ports): void {
  app.get("/v1/subscribers", {
    config: { role: "admin" },
    schema: routeSchema({
      operationId: "list_subscribers",
      summary: "List outside subscribers, by name",
      description:
        "Those that were added to the tenant; how far each is tells of one that nobody runs any more.",
      tags,
      querystring: tenantQuery,
      problems: ofAny,
      answers: { 200: { about: "All of the tenant.", content: { "application/json": subscriberList } } },
    }),
    handler: async (request) => ({ data: (await subscribers.list(tenantInQuery(request))).map(viewOf) }),
  });

  app.get("/v1/subscribers/:name", {
    config: { role: "admin" },
    schema: routeSchema({
      operationId: "get_subscriber",
      summary: "One outside subscriber",
      tags,
      params: subscriberParams,
      querystring: tenantQuery,
      problems: [...ofAny, "SUBSCRIBER_NOT_FOUND"],
      answers: { 200: { about: "The subscriber.", content: one } },
    }),
    handler: async (request) => viewOf((await subscribers.get(keyOf(request))) ?? notFound()),
  });
}

function changeRoutes(app: FastifyInstance, { subscribers, people }: Ports): void {
  app.put("/v1/subscribers/:name", {
    config: ofInstallation,
    schema: routeSchema({
      operationId: "put_subscriber",
      summary: "Add an outside subscriber, or give one another account",
      description:
        "Makes the consumer that its account may read from. A new one begins with all that the feed has; another account goes on where the one before it was.",
      tags,
      params: subscriberParams,
      querystring: tenantQuery,
      body: putSubscriber,
      problems: [...ofAny, "INSTALLATION_ONLY", "SUBSCRIBER_EXISTS", "DATABASE_UNAVAILABLE", ...ofBody],
      answers: { 200: { about: "The subscriber.", content: one } },
    }),
    handler: async (request) => {
      const key = keyOf(request);
      const { removed_at } = await people.getTenant(key.tenant);
      if (removed_at !== null) throw tenantNotFound();
      const by = principalOf(request).actor;
      return viewOf(await subscribers.put(key, { ...readBody(putSubscriber, request), by }));
    },
  });

  app.delete("/v1/subscribers/:name", {
    config: ofInstallation,
    schema: routeSchema({
      operationId: "remove_subscriber",
      summary: "Remove an outside subscriber",
      description:
        "With its place in the feed. Whoever removes it revokes its NATS account as well, as `cazi subscriber remove` does.",
      tags,
      params: subscriberParams,
      querystring: tenantQuery,
      problems: [...ofAny, "INSTALLATION_ONLY", "SUBSCRIBER_NOT_FOUND"],
      answers: { 200: { about: "What it was.", content: one } },
    }),
    handler: async (request) => viewOf((await subscribers.remove(keyOf(request))) ?? notFound()),
  });
}

/** What cannot be a name is no subscriber. */
function keyOf(request: FastifyRequest): SubscriberKey {
  const read = subscriberParams.safeParse(request.params);
  return read.success ? { tenant: tenantInQuery(request), name: read.data.name } : notFound();
}

function viewOf({ ended_at, created_at, changed_at, place, ...rest }: StoredSubscriber): Subscriber {
  return {
    ...rest,
    state: ended_at === null ? "active" : "ended",
    waiting: place?.waiting ?? null,
    unacknowledged: place?.unacknowledged ?? null,
    created_at: toTimestamp(created_at),
    changed_at: toTimestamp(changed_at),
  };
}

function notFound(): never {
  throw new Rejection("SUBSCRIBER_NOT_FOUND", "There is no such subscriber in the tenant.", {
    hint: "`cazi subscriber list` shows those there are.",
  });
}
