import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { Retryable } from "../../kernel/errors.ts";
import type { Workload } from "../artifacts/publishArtifact.ts";
import { readBody } from "../http/readRequest.ts";
import { requestInvalid } from "../http/requestInvalid.ts";
import { takeJsonOnly } from "../http/takeJsonOnly.ts";
import { callNumberMax, modelAnswerMs, modelNameCharsMax, questionBytesMax } from "./limits.ts";
import type { ModelCalls } from "./modelCalls.ts";

/** Where a script's node asks a model; beside the place of files, whatever is before both. */
export const MODEL_PATH = "/model";
/** An answer may take longer than a connection may be silent here. */
const SILENCE_MS = modelAnswerMs + 10_000;

export interface ModelRoutePorts {
  /** Whom the request's workload token speaks for. @throws Rejection `WORKLOAD_TOKEN_INVALID` */
  caller(authorization: string | undefined): Promise<Workload>;
  /** Null while the API is not up. */
  models(): ModelCalls | null;
}

const params = z.strictObject({ number: z.coerce.number().int().min(0).max(callNumberMax) });
const question = z.strictObject({
  endpoint: z.string().min(1).max(2048),
  model: z.string().min(1).max(modelNameCharsMax),
  input: z.union([z.string(), z.array(z.unknown())], { error: "must be a text or a list" }),
});

/** Calls of a model, by their number. */
export async function modelRoutes(app: FastifyInstance, ports: ModelRoutePorts): Promise<void> {
  takeJsonOnly(app, questionBytesMax);
  app.post(`${MODEL_PATH}/:number`, async (request) => {
    const by = await ports.caller(request.headers.authorization);
    const asked = readBody(question, request);
    const models = ports.models();
    if (models === null)
      throw new Retryable("MODEL_NOT_READY", "The control plane is starting, and asks no model yet.");
    request.raw.socket.setTimeout(SILENCE_MS);
    return models.call({ by, number: numberOf(request.params), question: asked });
  });
}

function numberOf(input: unknown): number {
  const read = params.safeParse(input);
  if (read.success) return read.data.number;
  throw requestInvalid({ name: "path", input, known: ["number"] }, read.error);
}
