import type { FastifyInstance } from "fastify";
import { headers } from "../../../schemas/api/headers.ts";
import { erasedTask, taskParams } from "../../../schemas/api/taskRequests.ts";
import { principalOf, whoIs } from "../http/authenticate.ts";
import { conditionalChange, positionHeader } from "../http/conditionalHeaders.ts";
import { apiPositions } from "../http/positions.ts";
import { taskKeyOf } from "../http/readRequest.ts";
import { ofLedger, ofTask } from "../http/routeProblems.ts";
import { routeSchema } from "../http/routeSchema.ts";
import type { ApiPorts } from "../ports.ts";
import { eraseTask } from "../tasks/eraseTask.ts";

/** Erasing a task before its time. For admins: whoever may run and cancel tasks must not be able to destroy their record. */
export async function eraseRoute(app: FastifyInstance, ports: ApiPorts): Promise<void> {
  const positions = apiPositions(ports);
  app.delete("/v1/tasks/:id", {
    config: { role: "admin" },
    schema: routeSchema({
      operationId: "erase_task",
      summary: "Erase a task that is over",
      description:
        "Its record, events, output and files go, everywhere, as after its ttl_seconds; who asked is kept with the tombstone. " +
        "One that is not over is refused: cancel it first. Asked again, it is 410. The answer does not wait for all to be gone.",
      tags: ["tasks"],
      params: taskParams,
      headers: conditionalChange,
      problems: [...ofTask, "TASK_NOT_ENDED", "PRECONDITION_FAILED", "REQUEST_INVALID", ...ofLedger],
      answers: {
        202: {
          about: "It is erased for good.",
          content: { "application/json": erasedTask },
          headers: positionHeader,
        },
      },
    }),
    handler: async (request, reply) => {
      const who = whoIs(principalOf(request), request.headers[headers.route.toLowerCase()]);
      const only = positions.ifMatch(request.headers["if-match"]);
      const { seq, ...erased } = await eraseTask(ports, taskKeyOf(request), { who, only });
      return reply.code(202).header(headers.position, positions.of(seq)).send(erased);
    },
  });
}
