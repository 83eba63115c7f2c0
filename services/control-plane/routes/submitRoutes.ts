import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { headers } from "../../../schemas/api/headers.ts";
import { submittedTask } from "../../../schemas/api/submittedTask.ts";
import { taskParams } from "../../../schemas/api/taskRequests.ts";
import { workloadSpecSchema } from "../../domain/spec/workloadSpec.ts";
import { limitsOf } from "../../domain/task/limitsOf.ts";
import { principalOf, whoIs } from "../http/authenticate.ts";
import { positionHeader } from "../http/conditionalHeaders.ts";
import { apiPositions } from "../http/positions.ts";
import { taskKeyOf } from "../http/readRequest.ts";
import { ofBody, ofCreating, ofSpec, ofTask } from "../http/routeProblems.ts";
import { routeSchema } from "../http/routeSchema.ts";
import { traceOf } from "../http/traceRequests.ts";
import type { ApiPorts } from "../ports.ts";
import { type Created, createTask } from "../submit/createTask.ts";
import { creationOf } from "../submit/idempotency.ts";
import { refusePrograms } from "../submit/refusePrograms.ts";
import { readSpecRequest, rejectionOf } from "../submit/specRequest.ts";
import { replayTask } from "../tasks/replayTask.ts";

const creationHeaders = z.object({
  "idempotency-key": z.string().optional().describe("The same key and request create once, for ever."),
  traceparent: z
    .string()
    .optional()
    .describe("W3C trace context: the task, its events and its container join this trace."),
  tracestate: z.string().optional().describe("W3C trace context: passed on to the container."),
});
const created = {
  about: "Recorded. Location is the task's address.",
  content: { "application/json": submittedTask },
  headers: {
    Location: "The task's address.",
    [headers.idempotentReplayed]: "true when an earlier request with this key made it.",
    ...positionHeader,
  },
};

/** Requests that create a task. */
export async function submitRoutes(app: FastifyInstance, ports: ApiPorts): Promise<void> {
  // The text itself is read, once, with the spec's own bounds and rules; no parser of the framework sees it.
  const positions = apiPositions(ports);
  app.removeAllContentTypeParsers();
  const json = /^application\/(?:[\w.-]+\+)?json(?:;|$)/i;
  const yaml = /^(?:application|text)\/(?:x-)?yaml(?:;|$)/i;
  for (const type of [json, yaml]) {
    app.addContentTypeParser(type, { parseAs: "buffer" }, (_request, body, done) => done(null, body));
  }

  app.post("/v1/tasks", {
    config: { role: "operator" },
    schema: routeSchema({
      operationId: "submit_task",
      summary: "Submit a task",
      description: "The body is a WorkloadSpec, JSON or YAML. Nothing is stored unless the answer is 202.",
      tags: ["tasks"],
      headers: creationHeaders,
      body: workloadSpecSchema,
      consumes: ["application/json", "application/yaml"],
      problems: [...ofCreating, ...ofSpec, ...ofBody],
      answers: { 202: created },
    }),
    handler: async (request, reply) => {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const accepted = readSpecRequest(
        body,
        yaml.test(request.headers["content-type"] ?? "") ? "yaml" : "json",
      );
      const { tenant } = principalOf(request);
      const refusal =
        ports.refuseMounts(tenant, accepted.spec.mounts) ??
        ports.refuseSinks(tenant, accepted) ??
        refusePrograms(ports, accepted);
      if (refusal !== null) throw rejectionOf(refusal);
      const made = await createTask(ports, {
        ...creating(request, "POST /v1/tasks"),
        requestHash: `submit:${accepted.digest}`,
        spec: accepted.spec,
        specJson: accepted.json,
        specDigest: accepted.digest,
        limits: limitsOf(accepted.spec),
        image: null,
        source: "submit",
        warnings: accepted.warnings,
      });
      return sendCreated(reply, made, positions.of(made.seq));
    },
  });

  app.post("/v1/tasks/:id/replay", {
    config: { role: "operator" },
    schema: routeSchema({
      operationId: "replay_task",
      summary: "Run a task's spec again, with the image that it ran",
      tags: ["tasks"],
      params: taskParams,
      headers: creationHeaders,
      problems: [...ofCreating, ...ofTask],
      answers: { 202: created },
    }),
    handler: async (request, reply) => {
      const by = creating(request, "POST /v1/tasks/:id/replay");
      const made = await replayTask(ports, taskKeyOf(request), by);
      return sendCreated(reply, made, positions.of(made.seq));
    },
  });

  function creating(request: FastifyRequest, route: string) {
    const principal = principalOf(request);
    const header = request.headers["idempotency-key"];
    return {
      tenant: principal.tenant,
      who: whoIs(principal, request.headers[headers.route.toLowerCase()]),
      trace: traceOf(request),
      creation: creationOf({ principal, route, header, nowMs: ports.clock.now() }),
    };
  }
}

function sendCreated(reply: FastifyReply, made: Created, position: string): FastifyReply {
  if (made.repeated) reply.header(headers.idempotentReplayed, "true");
  return reply
    .code(202)
    .header("Location", `/v1/tasks/${made.task.id}`)
    .header(headers.position, position)
    .send(made.task);
}
