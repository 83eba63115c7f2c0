import type { FastifyInstance } from "fastify";
import { listTasksQuery, taskPage } from "../../../schemas/api/listTasks.ts";
import { task } from "../../../schemas/api/task.ts";
import { listTaskEventsQuery, taskEventPage } from "../../../schemas/api/taskEvent.ts";
import { getTaskQuery, taskParams } from "../../../schemas/api/taskRequests.ts";
import { principalOf } from "../http/authenticate.ts";
import { conditionalRead, notModified, tagHeader } from "../http/conditionalHeaders.ts";
import { sendTagged } from "../http/etag.ts";
import { apiPositions } from "../http/positions.ts";
import { goneSignal, readQuery, taskKeyOf } from "../http/readRequest.ts";
import { ofReads, ofTask } from "../http/routeProblems.ts";
import { routeSchema } from "../http/routeSchema.ts";
import type { ApiPorts } from "../ports.ts";
import { findTask, waitForEnd } from "../tasks/findTask.ts";
import { listEvents } from "../tasks/listEvents.ts";

/** Reading tasks, waiting for them, cancelling them. */
export async function taskRoutes(app: FastifyInstance, ports: ApiPorts): Promise<void> {
  const tags = ["tasks"];
  const positions = apiPositions(ports);
  app.get("/v1/tasks", {
    config: { role: "viewer" },
    schema: routeSchema({
      operationId: "list_tasks",
      summary: "List tasks, newest first",
      tags,
      querystring: listTasksQuery,
      problems: [...ofReads, "CURSOR_INVALID"],
      answers: { 200: { about: "A page of tasks.", content: { "application/json": taskPage } } },
    }),
    handler: async (request, reply) => {
      const query = readQuery(listTasksQuery, request);
      await positions.waitFor(query.min_seq, goneSignal(reply));
      return ports.reads.listTasks(principalOf(request).tenant, query);
    },
  });

  app.get("/v1/tasks/:id", {
    config: { role: "viewer" },
    schema: routeSchema({
      operationId: "get_task",
      summary: "A task, now or when it is over",
      tags,
      params: taskParams,
      headers: conditionalRead,
      querystring: getTaskQuery,
      problems: [...ofTask, ...ofReads],
      answers: {
        200: { about: "The task.", content: { "application/json": task }, headers: tagHeader },
        304: notModified,
      },
    }),
    handler: async (request, reply) => {
      const { wait, min_seq } = readQuery(getTaskQuery, request);
      const key = taskKeyOf(request);
      const gone = goneSignal(reply);
      await positions.waitFor(min_seq, gone);
      const found =
        wait === 0 ? await findTask(ports, key) : await waitForEnd(ports, key, { ms: wait * 1000, gone });
      return sendTagged(request, reply, { value: found.task, position: positions.of(found.seq) });
    },
  });

  eventsRoute(app, ports);
}

function eventsRoute(app: FastifyInstance, ports: ApiPorts): void {
  const positions = apiPositions(ports);
  app.get("/v1/tasks/:id/events", {
    config: { role: "viewer" },
    schema: routeSchema({
      operationId: "list_task_events",
      summary: "A task's history, oldest first",
      tags: ["tasks"],
      params: taskParams,
      headers: conditionalRead,
      querystring: listTaskEventsQuery,
      problems: [...ofTask, ...ofReads, "CURSOR_INVALID"],
      answers: {
        200: {
          about: "A page of events.",
          content: { "application/json": taskEventPage },
          headers: tagHeader,
        },
        304: notModified,
      },
    }),
    handler: async (request, reply) => {
      const query = readQuery(listTaskEventsQuery, request);
      const key = taskKeyOf(request);
      await positions.waitFor(query.min_seq, goneSignal(reply));
      return sendTagged(request, reply, { value: await listEvents(ports, key, query), position: null });
    },
  });
}
