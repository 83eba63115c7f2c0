import type { FastifyInstance } from "fastify";
import { headers } from "../../../schemas/api/headers.ts";
import { listTasksQuery, taskPage } from "../../../schemas/api/listTasks.ts";
import { task } from "../../../schemas/api/task.ts";
import { listTaskEventsQuery, taskEventPage } from "../../../schemas/api/taskEvent.ts";
import { cancelTask as cancelBody, getTaskQuery, taskParams } from "../../../schemas/api/taskRequests.ts";
import { principalOf, whoIs } from "../http/authenticate.ts";
import { goneSignal, readBody, readQuery, taskKeyOf } from "../http/readRequest.ts";
import { routeSchema } from "../http/routeSchema.ts";
import type { ApiPorts } from "../ports.ts";
import { cancelTask } from "../tasks/cancelTask.ts";
import { findTask, waitForEnd } from "../tasks/findTask.ts";
import { listEvents } from "../tasks/listEvents.ts";

/** Reading tasks, waiting for them, cancelling them. */
export async function taskRoutes(app: FastifyInstance, ports: ApiPorts): Promise<void> {
  const tags = ["tasks"];
  app.get("/v1/tasks", {
    schema: routeSchema({
      operationId: "list_tasks",
      summary: "List tasks, newest first",
      tags,
      querystring: listTasksQuery,
      answers: { 200: { about: "A page of tasks.", content: { "application/json": taskPage } } },
    }),
    handler: (request) =>
      ports.reads.listTasks(principalOf(request).tenant, readQuery(listTasksQuery, request)),
  });

  app.get("/v1/tasks/:id", {
    schema: routeSchema({
      operationId: "get_task",
      summary: "A task, now or when it is over",
      tags,
      params: taskParams,
      querystring: getTaskQuery,
      answers: { 200: { about: "The task.", content: { "application/json": task } } },
    }),
    handler: (request, reply) => {
      const { wait } = readQuery(getTaskQuery, request);
      const key = taskKeyOf(request);
      if (wait === 0) return findTask(ports, key);
      return waitForEnd(ports, key, { ms: wait * 1000, gone: goneSignal(reply) });
    },
  });

  app.get("/v1/tasks/:id/events", {
    schema: routeSchema({
      operationId: "list_task_events",
      summary: "A task's history, oldest first",
      tags,
      params: taskParams,
      querystring: listTaskEventsQuery,
      answers: { 200: { about: "A page of events.", content: { "application/json": taskEventPage } } },
    }),
    handler: (request) => listEvents(ports, taskKeyOf(request), readQuery(listTaskEventsQuery, request)),
  });

  app.post("/v1/tasks/:id/cancel", {
    schema: routeSchema({
      operationId: "cancel_task",
      summary: "Cancel a task",
      description:
        "Asking again changes nothing. What runs is stopped by its node; the answer does not wait for it.",
      tags,
      params: taskParams,
      body: cancelBody,
      answers: { 202: { about: "The task.", content: { "application/json": task } } },
    }),
    handler: async (request, reply) => {
      const { reason } = readBody(cancelBody, request);
      const who = whoIs(principalOf(request), request.headers[headers.route.toLowerCase()]);
      return reply.code(202).send(await cancelTask(ports, taskKeyOf(request), { who, reason }));
    },
  });
}
