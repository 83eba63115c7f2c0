import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { headers } from "../../../schemas/api/headers.ts";
import { logPage, type TaskLogsQuery, taskLogsQuery } from "../../../schemas/api/logEntry.ts";
import { rawOutputQuery, taskOutput } from "../../../schemas/api/taskOutput.ts";
import { taskParams } from "../../../schemas/api/taskRequests.ts";
import { principalOf } from "../http/authenticate.ts";
import { conditionalRead, notModified, tagHeader } from "../http/conditionalHeaders.ts";
import { sendTagged } from "../http/etag.ts";
import { goneSignal, readQuery, taskKeyOf, whenOver } from "../http/readRequest.ts";
import { ofLogs, ofTask } from "../http/routeProblems.ts";
import { routeSchema } from "../http/routeSchema.ts";
import { sseComment, sseEvent } from "../http/serverSentEvents.ts";
import { sseHeartbeatMs } from "../limits.ts";
import { type Followed, followLog } from "../output/followLog.ts";
import { LogPlaces } from "../output/logPlaces.ts";
import { parsePosition } from "../output/logPosition.ts";
import { logQuestion } from "../output/logQuestion.ts";
import { rawOutput } from "../output/rawOutput.ts";
import { readLogPage } from "../output/readLogPage.ts";
import { readOutput } from "../output/readOutput.ts";
import type { ApiPorts } from "../ports.ts";

const resumeHeaders = z.object({
  "last-event-id": z
    .string()
    .optional()
    .describe("Where a follower goes on: the id of the last event that it saw. It wins over `after`."),
});

const rawAnswers = {
  200: {
    about: "The bytes.",
    content: { "application/octet-stream": z.string() },
    headers: {
      [headers.complete]: "true when the task is over, so that these are all the bytes there will be.",
      [headers.truncated]: "true when bytes were not kept.",
      [headers.dropped]: "How many.",
    },
  },
};

/** What tasks print: as lines, as it comes, parsed, and as bytes. */
export async function outputRoutes(app: FastifyInstance, ports: ApiPorts): Promise<void> {
  const tags = ["output"];
  const pagePorts = { ...ports, places: new LogPlaces() };
  app.get("/v1/tasks/:id/logs", {
    config: { role: "viewer" },
    schema: routeSchema({
      operationId: "get_task_logs",
      summary: "A task's output as lines",
      description:
        "JSON pages; or server-sent events, with `follow=true` or `Accept: text/event-stream`: an event `log` for each " +
        "entry, whose id is its position (resume with Last-Event-ID), and one event `end` with the task's outcome.",
      tags,
      params: taskParams,
      querystring: taskLogsQuery,
      headers: resumeHeaders,
      problems: [...ofTask, ...ofLogs, "QUOTA_EXCEEDED"],
      answers: {
        200: {
          about: "A page of entries.",
          content: { "application/json": logPage, "text/event-stream": z.string() },
        },
      },
    }),
    handler: async (request, reply) => {
      const query = readQuery(taskLogsQuery, request);
      const wantsEvents = query.follow || /\btext\/event-stream\b/i.test(request.headers.accept ?? "");
      if (wantsEvents) return sendFollowed(request, reply, query);
      return readLogPage(pagePorts, taskKeyOf(request), query);
    },
  });

  app.get("/v1/tasks/:id/output", {
    config: { role: "viewer" },
    schema: routeSchema({
      operationId: "get_task_output",
      summary: "A task's standard output, parsed by its output_format",
      tags,
      params: taskParams,
      headers: conditionalRead,
      problems: [...ofTask, ...ofLogs],
      answers: {
        200: { about: "The output.", content: { "application/json": taskOutput }, headers: tagHeader },
        304: notModified,
      },
    }),
    handler: async (request, reply) => {
      readQuery(z.strictObject({}), request);
      return sendTagged(request, reply, {
        value: await readOutput(ports, taskKeyOf(request)),
        position: null,
      });
    },
  });

  rawOutputRoute(app, ports);

  async function sendFollowed(
    request: FastifyRequest,
    reply: FastifyReply,
    query: TaskLogsQuery,
  ): Promise<FastifyReply> {
    const lastId = request.headers["last-event-id"];
    const resumed = typeof lastId === "string" ? parsePosition(lastId) : null;
    const asked = logQuestion({ ...query, follow: true }, ports.clock.now(), resumed);
    const end = ports.quotas.openFollow(principalOf(request).tenant);
    whenOver(reply, end);
    const gone = goneSignal(reply);
    const followed = followLog(ports, taskKeyOf(request), asked, gone);
    // The first step is awaited here, so that a task that is not there is a problem and not a broken stream.
    const first = await followed.next();
    return reply
      .type("text/event-stream")
      .header("Cache-Control", "no-store")
      .header("X-Accel-Buffering", "no")
      .send(Readable.from(asEvents(first, followed, ports.clock.monotonicMs), { objectMode: false }));
  }
}

function rawOutputRoute(app: FastifyInstance, ports: ApiPorts): void {
  app.get("/v1/tasks/:id/output/raw", {
    config: { role: "viewer" },
    schema: routeSchema({
      operationId: "get_task_raw_output",
      summary: "The very bytes of a task's output",
      description: `Of one stream of one attempt. ${headers.dropped} says how many bytes beyond the cap were not kept.`,
      tags: ["output"],
      params: taskParams,
      querystring: rawOutputQuery,
      problems: [...ofTask, ...ofLogs],
      answers: rawAnswers,
    }),
    handler: async (request, reply) => {
      const query = readQuery(rawOutputQuery, request);
      const output = await rawOutput(ports, taskKeyOf(request), query);
      const bytes = Readable.from(output.bytes, { objectMode: false });
      // The headers are out by then: cutting the connection is all the reader sees.
      bytes.on("error", (error) => ports.log.warn({ error, task: output.task.id }, "raw output broke off"));
      if (output.dropped > 0) reply.header(headers.dropped, output.dropped).header(headers.truncated, "true");
      return reply
        .header(headers.complete, String(output.complete))
        .header("Content-Disposition", `attachment; filename="${output.task.id}.${query.stream}"`)
        .type("application/octet-stream")
        .send(bytes);
    },
  });
}

/** The events of what is followed, and a comment whenever nothing was sent for a while. */
async function* asEvents(
  first: IteratorResult<Followed, void>,
  rest: AsyncGenerator<Followed, void>,
  monotonicMs: () => number,
): AsyncGenerator<string> {
  // A comment first: headers reach the client now, and not with the first line.
  yield sseComment;
  let sentAt = monotonicMs();
  try {
    for (let step = first; !step.done; step = await rest.next()) {
      const text = eventText(step.value);
      if (text === "" && monotonicMs() - sentAt < sseHeartbeatMs) continue;
      sentAt = monotonicMs();
      yield text === "" ? sseComment : text;
    }
  } finally {
    await rest.return();
  }
}

function eventText(followed: Followed): string {
  switch (followed.kind) {
    case "entries":
      return followed.entries.map((data) => sseEvent({ event: "log", id: data.position, data })).join("");
    case "end": {
      const { id, status, exit_code, signal, oom_killed, reason, message } = followed.task;
      const data = {
        id,
        status,
        exit_code,
        signal,
        oom_killed,
        reason,
        message,
        complete: followed.complete,
      };
      return sseEvent({ event: "end", data });
    }
    default:
      return "";
  }
}
