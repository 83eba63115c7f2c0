import type { FastifyInstance, FastifyRequest } from "fastify";
import {
  declareNode,
  type Node,
  node,
  nodeParams,
  removedNode,
  removeNodeQuery,
  setNodeState,
} from "../../../schemas/api/node.ts";
import { Rejection } from "../../kernel/errors.ts";
import { principalOf } from "../http/authenticate.ts";
import { readBody, readQuery } from "../http/readRequest.ts";
import { ofBody } from "../http/routeProblems.ts";
import { routeSchema } from "../http/routeSchema.ts";
import { nodesFor } from "../nodes/nodesFor.ts";
import type { ApiPorts } from "../ports.ts";

const ofChange = [
  "ROLE_TOO_LOW",
  "INSTALLATION_ONLY",
  "NODE_NOT_FOUND",
  "NODE_NOT_STANDALONE",
  "REQUEST_INVALID",
  "NATS_UNAVAILABLE",
];
/** Nodes are of no tenant: the admins of one do not decide over them. */
const ofFleet = { role: "admin", installation: true } as const;
const aNode = { content: { "application/json": node } };

type FleetPorts = Pick<ApiPorts, "nodes" | "fleet">;

/** One machine: what was declared for it, and whether it takes work. Its NATS account is the command line's to make. */
export async function fleetRoutes(app: FastifyInstance, ports: FleetPorts): Promise<void> {
  app.get("/v1/nodes/:name", {
    config: { role: "viewer" },
    schema: routeSchema({
      operationId: "get_node",
      summary: "One node",
      tags: ["nodes"],
      params: nodeParams,
      problems: ["NODE_NOT_FOUND"],
      answers: { 200: { about: "The node.", ...aNode } },
    }),
    handler: async (request) => findNode(ports, request),
  });
  declareRoute(app, ports);
  stateRoute(app, ports);
  removeRoute(app, ports);
}

function declareRoute(app: FastifyInstance, ports: FleetPorts): void {
  app.put("/v1/nodes/:name", {
    config: ofFleet,
    schema: routeSchema({
      operationId: "declare_node",
      summary: "Declare what a standalone node may register",
      description: "Replaces what was declared before. What the node offers beyond it counts for nothing.",
      tags: ["nodes"],
      params: nodeParams,
      body: declareNode,
      problems: [...ofChange, ...ofBody],
      answers: { 200: { about: "The node.", ...aNode } },
    }),
    handler: async (request) => {
      const by = principalOf(request).actor;
      const { account, ...bounds } = readBody(declareNode, request);
      const name = nameOf(request);
      await ports.fleet.change(name, { kind: "declare", bounds, account }, by);
      return findNode(ports, request);
    },
  });
}

function stateRoute(app: FastifyInstance, ports: FleetPorts): void {
  app.put("/v1/nodes/:name/state", {
    config: ofFleet,
    schema: routeSchema({
      operationId: "set_node_state",
      summary: "Cordon, drain or uncordon a node",
      description: "What runs goes on to its end; a draining node is a cordoned one that somebody waits for.",
      tags: ["nodes"],
      params: nodeParams,
      body: setNodeState,
      problems: [...ofChange, ...ofBody],
      answers: { 200: { about: "The node.", ...aNode } },
    }),
    handler: async (request) => {
      const by = principalOf(request).actor;
      const { state } = readBody(setNodeState, request);
      const name = nameOf(request);
      await ports.fleet.change(name, { kind: "state", state }, by);
      return findNode(ports, request);
    },
  });
}

function removeRoute(app: FastifyInstance, { fleet }: FleetPorts): void {
  app.delete("/v1/nodes/:name", {
    config: ofFleet,
    schema: routeSchema({
      operationId: "remove_node",
      summary: "Remove a node",
      description: "Whoever removes it revokes its NATS account as well, as `cazi node remove` does.",
      tags: ["nodes"],
      params: nodeParams,
      querystring: removeNodeQuery,
      problems: [...ofChange, "NODE_BUSY"],
      answers: { 200: { about: "What it was.", content: { "application/json": removedNode } } },
    }),
    handler: async (request) => {
      const by = principalOf(request).actor;
      const force = readQuery(removeNodeQuery, request).force === "true";
      const name = nameOf(request);
      const { account } = await fleet.change(name, { kind: "remove", force }, by);
      return { name, account };
    },
  });
}

/** Of another tenant's node the caller learns nothing, not even that it is there. */
function findNode(ports: FleetPorts, request: FastifyRequest): Node {
  const name = nameOf(request);
  return nodesFor(principalOf(request), ports.nodes()).find((one) => one.name === name) ?? notFound(name);
}

/** What cannot be a name is no node. */
function nameOf(request: FastifyRequest): string {
  const read = nodeParams.safeParse(request.params);
  return read.success ? read.data.name : notFound(String((request.params as { name?: unknown }).name));
}

function notFound(name: string): never {
  throw new Rejection("NODE_NOT_FOUND", `There is no node ${JSON.stringify(name.slice(0, 63))}.`, {
    hint: "`GET /v1/nodes` lists those there are.",
  });
}
