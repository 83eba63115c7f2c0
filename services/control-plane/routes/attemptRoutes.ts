import type { FastifyInstance } from "fastify";
import { attemptPage, listAttemptsQuery } from "../../../schemas/api/attempt.ts";
import { taskParams } from "../../../schemas/api/taskRequests.ts";
import { apiPositions } from "../http/positions.ts";
import { goneSignal, readQuery, taskKeyOf } from "../http/readRequest.ts";
import { ofReads, ofTask } from "../http/routeProblems.ts";
import { routeSchema } from "../http/routeSchema.ts";
import type { ApiPorts } from "../ports.ts";
import { listAttempts } from "../tasks/listAttempts.ts";

/** What each try of a task came to. */
export async function attemptRoutes(app: FastifyInstance, ports: ApiPorts): Promise<void> {
  const positions = apiPositions(ports);
  app.get("/v1/tasks/:id/attempts", {
    config: { role: "viewer" },
    schema: routeSchema({
      operationId: "list_attempts",
      summary: "A task's attempts, oldest first",
      tags: ["tasks"],
      params: taskParams,
      querystring: listAttemptsQuery,
      problems: [...ofTask, ...ofReads, "CURSOR_INVALID"],
      answers: { 200: { about: "A page of attempts.", content: { "application/json": attemptPage } } },
    }),
    handler: async (request, reply) => {
      const query = readQuery(listAttemptsQuery, request);
      await positions.waitFor(query.min_seq, goneSignal(reply));
      return listAttempts(ports, taskKeyOf(request), query);
    },
  });
}
