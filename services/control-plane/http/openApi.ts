import swagger from "@fastify/swagger";
import type { FastifyContextConfig, FastifyInstance } from "fastify";
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from "fastify-type-provider-zod";
import { z } from "zod";
import { attempt, attemptPage } from "../../../schemas/api/attempt.ts";
import { image } from "../../../schemas/api/attemptParts.ts";
import { bulkPage, bulkPreview } from "../../../schemas/api/bulk.ts";
import { comparison, streamComparison } from "../../../schemas/api/comparison.ts";
import { connection } from "../../../schemas/api/connection.ts";
import { health } from "../../../schemas/api/health.ts";
import { taskPage } from "../../../schemas/api/listTasks.ts";
import { logEntry, logPage } from "../../../schemas/api/logEntry.ts";
import { node, nodePage } from "../../../schemas/api/node.ts";
import { problem } from "../../../schemas/api/problem.ts";
import { problemPage } from "../../../schemas/api/problemPage.ts";
import { signingKey } from "../../../schemas/api/signingKey.ts";
import { submittedTask } from "../../../schemas/api/submittedTask.ts";
import { subscriber } from "../../../schemas/api/subscriber.ts";
import { task, taskSummary } from "../../../schemas/api/task.ts";
import { taskEvent, taskEventPage } from "../../../schemas/api/taskEvent.ts";
import { taskOutput } from "../../../schemas/api/taskOutput.ts";
import { taskStatus } from "../../../schemas/api/taskStatus.ts";
import { who } from "../../../schemas/api/who.ts";
import { workloadSpecSchema } from "../../domain/spec/workloadSpec.ts";
import { withAnswersMore } from "./routeSchema.ts";
import { tidied } from "./tidyDocument.ts";

/** What the document describes once and refers to. */
const components: Readonly<Record<string, z.ZodType>> = {
  Attempt: attempt,
  AttemptPage: attemptPage,
  BulkPage: bulkPage,
  BulkPreview: bulkPreview,
  Comparison: comparison,
  Connection: connection,
  Health: health,
  Image: image,
  LogEntry: logEntry,
  LogPage: logPage,
  Node: node,
  NodePage: nodePage,
  Problem: problem,
  ProblemPage: problemPage,
  SigningKey: signingKey,
  StreamComparison: streamComparison,
  SubmittedTask: submittedTask,
  Subscriber: subscriber,
  Task: task,
  TaskEvent: taskEvent,
  TaskEventPage: taskEventPage,
  TaskOutput: taskOutput,
  TaskPage: taskPage,
  TaskStatus: taskStatus,
  TaskSummary: taskSummary,
  Who: who,
  WorkloadSpec: workloadSpecSchema,
};

const tags = [
  ["tasks", "Declared intents and their histories."],
  ["output", "What tasks print."],
  ["artifacts", "Files that tasks publish."],
  ["nodes", "Machines that run attempts."],
  ["connections", "Stored secrets for tasks."],
  ["identity", "Who containers are: their tokens, and the keys these are checked with."],
  ["feed", "The tenant's events as they come, and their schemas."],
  ["people", "Tenants, their users, and the tokens that speak for them."],
  ["dead letters", "Messages that could not be handled, for a person."],
  ["probes", "For what watches this process."],
  ["problems", "The catalogue of stable codes."],
] as const;

/** Must be awaited before routes are added: it listens to them. The document itself is made when asked for. */
export async function documentApi(app: FastifyInstance, version: string): Promise<void> {
  const schemaRegistry = namedSchemas();
  const transform = createJsonSchemaTransform({ schemaRegistry });
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Cazi",
        version,
        description: "Declared tasks, run in disposable containers, recorded so that they can be replayed.",
        license: { name: "Apache-2.0", identifier: "Apache-2.0" },
      },
      servers: [{ url: "/" }],
      components: { securitySchemes: { token: { type: "http", scheme: "bearer" } } },
      security: [{ token: [] }],
      tags: tags.map(([name, description]) => ({ name, description })),
    },
    transform: (route) => {
      const { schema, url } = transform(route);
      return {
        schema: { ...withAnswersMore(schema as Record<string, unknown>), ...needs(route.route) },
        url,
      };
    },
    transformObject: (document) => tidied(createJsonSchemaTransformObject({ schemaRegistry })(document)),
  });
}

/** The role that a route asks for, and whether it is for the installation's own tenant alone. */
function needs({ config }: { readonly config?: FastifyContextConfig }): Record<string, unknown> {
  const { role, installation } = config ?? {};
  if (role === undefined) return {};
  return { "x-cazi-role": role, ...(installation === true ? { "x-cazi-installation": true } : {}) };
}

/**
 * A registry with the components' names over the descriptions that the schemas carry. The names are not put on
 * the schemas themselves: a tool's schema must not begin with a reference.
 */
function namedSchemas(): typeof z.globalRegistry {
  const registry = z.registry() as unknown as typeof z.globalRegistry;
  for (const [id, schema] of Object.entries(components)) {
    registry.add(schema, { ...z.globalRegistry.get(schema), id });
  }
  const named = registry._map;
  registry._map = new (class extends WeakMap<z.core.$ZodType, z.core.GlobalMeta> {
    override get(schema: z.core.$ZodType) {
      return named.get(schema) ?? z.globalRegistry._map.get(schema);
    }
    override has(schema: z.core.$ZodType) {
      return named.has(schema) || z.globalRegistry._map.has(schema);
    }
  })() as typeof registry._map;
  return registry;
}
