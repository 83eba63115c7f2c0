import type { FastifyInstance } from "fastify";
import { headers } from "../../../schemas/api/headers.ts";
import { task } from "../../../schemas/api/task.ts";
import { cancelTask as cancelBody, taskParams } from "../../../schemas/api/taskRequests.ts";
import { principalOf, whoIs } from "../http/authenticate.ts";
import { conditionalChange, positionHeader } from "../http/conditionalHeaders.ts";
import { apiPositions } from "../http/positions.ts";
import { readBody, taskKeyOf } from "../http/readRequest.ts";
import { ofBody, ofLedger, ofTask } from "../http/routeProblems.ts";
import { routeSchema } from "../http/routeSchema.ts";
import type { ApiPorts } from "../ports.ts";
import { cancelTask } from "../tasks/cancelTask.ts";

/** Cancelling a task, or only the version of it that the caller has seen. */
export async function cancelRoute(app: FastifyInstance, ports: ApiPorts): Promise<void> {
  const positions = apiPositions(ports);
  app.post("/v1/tasks/:id/cancel", {
    config: { role: "operator" },
    schema: routeSchema({
      operationId: "cancel_task",
      summary: "Cancel a task",
      description:
        "Asking again changes nothing. What runs is stopped by its node; the answer does not wait for it.",
      tags: ["tasks"],
      params: taskParams,
      headers: conditionalChange,
      body: cancelBody,
      problems: [...ofTask, "TASK_ENDED", "PRECONDITION_FAILED", "REQUEST_INVALID", ...ofBody, ...ofLedger],
      answers: {
        202: { about: "The task.", content: { "application/json": task }, headers: positionHeader },
      },
    }),
    handler: async (request, reply) => {
      const { reason } = readBody(cancelBody, request);
      const who = whoIs(principalOf(request), request.headers[headers.route.toLowerCase()]);
      const key = taskKeyOf(request);
      const only = positions.ifMatch(request.headers["if-match"]);
      const { task, seq } = await cancelTask(ports, key, { who, reason, only });
      return reply.code(202).header(headers.position, positions.of(seq)).send(task);
    },
  });
}
