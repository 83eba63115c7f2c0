import type { FastifyInstance } from "fastify";
import { comparison, comparisonQuery } from "../../../schemas/api/comparison.ts";
import { taskParams } from "../../../schemas/api/taskRequests.ts";
import { compareTasks } from "../comparison/compareTasks.ts";
import { conditionalRead, notModified, tagHeader } from "../http/conditionalHeaders.ts";
import { sendTagged } from "../http/etag.ts";
import { readQuery, taskKeyOf } from "../http/readRequest.ts";
import { ofLogs, ofTask } from "../http/routeProblems.ts";
import { routeSchema } from "../http/routeSchema.ts";
import type { ApiPorts } from "../ports.ts";

const COMPARISON_COST = 10;

/** Whether a replay did the same as its task. */
export async function comparisonRoute(app: FastifyInstance, ports: ApiPorts): Promise<void> {
  app.get("/v1/tasks/:id/comparison", {
    // It may read two outputs of the largest size.
    config: { cost: COMPARISON_COST, role: "viewer" },
    schema: routeSchema({
      operationId: "compare_task",
      summary: "Whether two tasks ended alike and printed the same bytes",
      description:
        "Of a replay, with the task that it replays unless another is named. Both have to be over.",
      tags: ["output"],
      params: taskParams,
      headers: conditionalRead,
      querystring: comparisonQuery,
      problems: [...ofTask, ...ofLogs, "TASK_NOT_ENDED"],
      answers: {
        200: { about: "The comparison.", content: { "application/json": comparison }, headers: tagHeader },
        304: notModified,
      },
    }),
    handler: async (request, reply) => {
      const value = await compareTasks(ports, taskKeyOf(request), readQuery(comparisonQuery, request));
      return sendTagged(request, reply, { value, position: null });
    },
  });
}
