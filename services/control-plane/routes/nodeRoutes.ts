import type { FastifyInstance } from "fastify";
import { listNodesQuery, nodePage } from "../../../schemas/api/node.ts";
import { principalOf } from "../http/authenticate.ts";
import { readQuery } from "../http/readRequest.ts";
import { routeSchema } from "../http/routeSchema.ts";
import { nodesFor } from "../nodes/nodesFor.ts";
import { pageOfNodes } from "../nodes/pageOfNodes.ts";
import type { ApiPorts } from "../ports.ts";

/** The machines that run attempts. */
export async function nodeRoutes(app: FastifyInstance, ports: Pick<ApiPorts, "nodes">): Promise<void> {
  app.get("/v1/nodes", {
    config: { role: "viewer" },
    schema: routeSchema({
      operationId: "list_nodes",
      summary: "List nodes, by name",
      description:
        "Those that run tasks of the caller's tenant; for admins of the installation all, with what was declared of them.",
      tags: ["nodes"],
      querystring: listNodesQuery,
      problems: ["REQUEST_INVALID", "CURSOR_INVALID"],
      answers: { 200: { about: "A page of nodes.", content: { "application/json": nodePage } } },
    }),
    handler: async (request) =>
      pageOfNodes(nodesFor(principalOf(request), ports.nodes()), readQuery(listNodesQuery, request)),
  });
}
