import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { Retryable } from "../../kernel/errors.ts";
import type { Workload } from "../artifacts/publishArtifact.ts";
import { goneSignal, readBody, readQuery } from "../http/readRequest.ts";
import { requestInvalid } from "../http/requestInvalid.ts";
import { takeJsonOnly } from "../http/takeJsonOnly.ts";
import { bytesOfCommandMax, callsMax, commandPartsMax, processWaitSecondsMax } from "../limits.ts";
import type { ChildTasks } from "./childTasks.ts";

/** Where a script's node asks for commands; beside the place of files, whatever is before both. */
export const PROCESS_PATH = "/process";

export interface ProcessRoutePorts {
  /** Whom the request's workload token speaks for. @throws Rejection `WORKLOAD_TOKEN_INVALID` */
  caller(authorization: string | undefined): Promise<Workload>;
  /** Null while the API is not up, or does not take commands. */
  children(): ChildTasks | null;
}

const params = z.strictObject({ call: z.coerce.number().int().min(0).max(callsMax) });
const submitBody = z.strictObject({ command: z.array(z.string()).min(1).max(commandPartsMax) });
const waitQuery = z.strictObject({
  wait: z.coerce.number().int().min(0).max(processWaitSecondsMax).default(0),
});

/** Commands of scripts, by the number of the call: to submit one, to wait for its end, to cancel it. */
export async function processRoutes(app: FastifyInstance, ports: ProcessRoutePorts): Promise<void> {
  takeJsonOnly(app, bytesOfCommandMax);
  const url = `${PROCESS_PATH}/:call`;

  app.post(url, async (request, reply) => {
    const by = await ports.caller(request.headers.authorization);
    const { command } = readBody(submitBody, request);
    return reply.code(202).send(await there(ports).submit({ by, call: callOf(request.params), command }));
  });
  app.get(url, async (request, reply) => {
    const by = await ports.caller(request.headers.authorization);
    const { wait } = readQuery(waitQuery, request);
    const gone = goneSignal(reply);
    return there(ports).wait({ by, call: callOf(request.params), ms: wait * 1000, gone });
  });
  app.post(`${url}/cancel`, async (request, reply) => {
    const by = await ports.caller(request.headers.authorization);
    return reply.code(202).send(await there(ports).cancel({ by, call: callOf(request.params) }));
  });
}

function there({ children }: ProcessRoutePorts): ChildTasks {
  const found = children();
  if (found !== null) return found;
  throw new Retryable("PROCESS_NOT_READY", "The control plane is starting, and takes no command yet.");
}

function callOf(input: unknown): number {
  const read = params.safeParse(input);
  if (read.success) return read.data.call;
  throw requestInvalid({ name: "path", input, known: ["call"] }, read.error);
}
