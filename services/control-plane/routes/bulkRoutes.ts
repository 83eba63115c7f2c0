import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import { bulkBody, bulkPage, bulkPreview, bulkPreviewBody } from "../../../schemas/api/bulk.ts";
import { headers } from "../../../schemas/api/headers.ts";
import { actBulk } from "../bulk/actBulk.ts";
import { previewBulk } from "../bulk/previewBulk.ts";
import { readSelection } from "../bulk/selection.ts";
import { principalOf, whoIs } from "../http/authenticate.ts";
import { apiPositions } from "../http/positions.ts";
import { goneSignal, readBody } from "../http/readRequest.ts";
import { ofBody, ofCreating, ofReads } from "../http/routeProblems.ts";
import { routeSchema } from "../http/routeSchema.ts";
import { traceOf } from "../http/traceRequests.ts";
import type { ApiPorts } from "../ports.ts";
import { creationOf } from "../submit/idempotency.ts";

const ROUTE = "POST /v1/tasks/bulk";
const bulkHeaders = z.object({
  "idempotency-key": z
    .string()
    .optional()
    .describe("Of replays: the same key on each call makes each new task once, for ever."),
});

/** One thing done to many tasks. */
export async function bulkRoutes(app: FastifyInstance, ports: ApiPorts): Promise<void> {
  const positions = apiPositions(ports);
  const tags = ["tasks"];
  app.post("/v1/tasks/bulk/preview", {
    config: { role: "operator" },
    schema: routeSchema({
      operationId: "preview_bulk",
      summary: "Which tasks a bulk action would be done to",
      description:
        "Changes nothing. The selection in the answer stands for exactly the tasks that match now.",
      tags,
      body: bulkPreviewBody,
      problems: [...ofReads, ...ofBody, "SELECTION_TOO_LARGE"],
      answers: { 200: { about: "How many, and the first.", content: { "application/json": bulkPreview } } },
    }),
    handler: async (request) => {
      const { tenant } = principalOf(request);
      return previewBulk(ports, positions, { tenant, ...readBody(bulkPreviewBody, request) });
    },
  });

  app.post("/v1/tasks/bulk", {
    config: { role: "operator" },
    schema: routeSchema({
      operationId: "act_in_bulk",
      summary: "Do what a preview showed, some tasks a call",
      description:
        "Call again with next_cursor until it is null. A call that failed or whose answer was lost may be sent again as it " +
        "was: with the same Idempotency-Key no task is replayed twice, and a cancel may always be repeated.",
      tags,
      headers: bulkHeaders,
      body: bulkBody,
      problems: [...ofReads, ...ofBody, ...ofCreating, "SELECTION_INVALID", "CURSOR_INVALID"],
      answers: { 200: { about: "What came of each task.", content: { "application/json": bulkPage } } },
    }),
    handler: async (request, reply) => {
      const body = readBody(bulkBody, request);
      const selection = readSelection(body.selection);
      await positions.waitFor(selection.position, goneSignal(reply));
      return actBulk(ports, selection, { ...callerOf(request), ...body });
    },
  });

  function callerOf(request: FastifyRequest) {
    const principal = principalOf(request);
    const header = request.headers["idempotency-key"];
    const { key } = creationOf({ principal, route: ROUTE, header, nowMs: ports.clock.now() });
    const { tenant, actor } = principal;
    const who = whoIs(principal, request.headers[headers.route.toLowerCase()]);
    return { tenant, actor, who, trace: traceOf(request), key };
  }
}
