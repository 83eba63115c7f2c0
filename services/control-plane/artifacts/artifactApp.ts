import { Readable } from "node:stream";
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { ArtifactView } from "../../../schemas/api/artifact.ts";
import { logHeaders } from "../../../schemas/messages/node.ts";
import { isRefusal } from "../../domain/refusal.ts";
import { artifactName } from "../../domain/task/artifactName.ts";
import { CaziError, Rejection } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import type { Meter } from "../../kernel/metrics/metrics.ts";
import { installProblemHandler, sendProblem } from "../http/problemHandler.ts";
import { answerUnreadable } from "../http/unreadableRequest.ts";
import { headerBytesMax } from "../limits.ts";
import type { ModelCalls } from "../model/modelCalls.ts";
import { modelRoutes } from "../model/modelRoutes.ts";
import type { ChildTasks } from "../process/childTasks.ts";
import { processRoutes } from "../process/processRoutes.ts";
import type { PreviousOutput } from "../stdin/previousOutput.ts";
import { viewOf } from "./artifactViews.ts";
import { uploadIdleMs, uploadsInAll, uploadsOfTask, uploadWholeMs } from "./limits.ts";
import { type PublishPorts, publishArtifact, type Workload } from "./publishArtifact.ts";
import { UploadTurns } from "./uploadTurns.ts";

/** Where files are put below; what a container has as `CAZI_ARTIFACT_URL` ends with it. */
export const ARTIFACTS_PATH = "/artifacts";
/** Where a node fetches the output of the task before; beside {@link ARTIFACTS_PATH}, whatever is before both. */
export const STDIN_PATH = "/stdin";

export interface ArtifactAppPorts extends PublishPorts {
  /** @throws Rejection `WORKLOAD_TOKEN_INVALID` */
  verify(token: string): Promise<Workload>;
  jwks(): unknown;
  /** See `previousOutput`. */
  previousOutput(by: Workload): Promise<PreviousOutput>;
  readonly storage: { full(): string | null };
  readonly meter: Meter;
  /** What takes commands of scripts; null while the API is not up. */
  readonly children?: () => ChildTasks | null;
  /** What asks a model for scripts; null while the API is not up. */
  readonly models?: () => ModelCalls | null;
}

/**
 * What a container can reach: it may publish files of its own attempt, read the output of the task before, and check signatures. A server apart from the
 * API, which listens where no container can come.
 */
export async function buildArtifactApp(ports: ArtifactAppPorts): Promise<FastifyInstance> {
  const { log, clock } = ports;
  const app = fastify({
    trustProxy: false,
    // The bound on a file is kept while it comes; the framework would look at the length alone.
    bodyLimit: Number.MAX_SAFE_INTEGER,
    requestTimeout: uploadWholeMs,
    connectionTimeout: uploadIdleMs,
    logger: false,
    requestIdHeader: false,
    genReqId: () => newId(clock.now()),
    http: { maxHeaderSize: headerBytesMax },
    clientErrorHandler: answerUnreadable({ log, newId: () => newId(clock.now()) }),
    forceCloseConnections: true,
    exposeHeadRoutes: false,
    frameworkErrors: (error, request, reply) => void sendProblem({ error, request, reply, log }),
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (_request, payload, done) => done(null, payload));
  installProblemHandler(app, log);
  app.addHook("onRequest", async (_request, reply) => {
    reply.header("X-Content-Type-Options", "nosniff").header("Cache-Control", "no-store");
  });
  await app.register(processRoutes, {
    caller: (authorization) => ports.verify(bearerOf(authorization)),
    children: ports.children ?? (() => null),
  });
  await app.register(modelRoutes, {
    caller: (authorization) => ports.verify(bearerOf(authorization)),
    models: ports.models ?? (() => null),
  });
  const turns = new UploadTurns({ inAll: uploadsInAll, ofTask: uploadsOfTask });
  app.get("/.well-known/jwks.json", async () => ports.jwks());
  app.get(STDIN_PATH, (request, reply) => give(ports, request, reply));
  for (const url of [ARTIFACTS_PATH, `${ARTIFACTS_PATH}/*`]) {
    app.route({
      method: ["PUT", "POST"],
      url,
      handler: (request, reply) => take(ports, turns, request, reply),
    });
  }
  return app;
}

/** The output of the task before the caller's. What breaks off in the middle breaks the connection as well. */
async function give(
  ports: ArtifactAppPorts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const by = await ports.verify(bearerOf(request.headers.authorization));
  const { bytes, length, dropped } = await ports.previousOutput(by);
  reply.header("Content-Type", "application/octet-stream").header(logHeaders.dropped, dropped);
  if (length !== null) reply.header("Content-Length", length);
  return reply.send(Readable.from(bytes, { objectMode: false }));
}

/** A file of any content type, its name in the path or, for those who cannot, as `?name=`. */
async function take(
  ports: ArtifactAppPorts,
  turns: UploadTurns,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<ArtifactView> {
  const arrival = new Arrival(request);
  try {
    const by = await ports.verify(bearerOf(request.headers.authorization));
    const name = nameOf(request);
    const full = ports.storage.full();
    if (full !== null) throw new Rejection("STORAGE_FULL", full);
    const giveBack = turns.take(by.task);
    try {
      const { artifact, isNew } = await publishArtifact(ports, by, {
        name,
        contentType: request.headers["content-type"],
        bytes: arrival.declaredBytes,
        source: arrival.bytes(),
      });
      if (isNew) {
        ports.meter.add("cazi_artifacts_stored_total", {});
        ports.meter.add("cazi_artifacts_stored_bytes_total", {}, artifact.bytes);
      }
      reply.code(isNew ? 201 : 200);
      return viewOf(artifact);
    } finally {
      giveBack();
    }
  } catch (error) {
    arrival.discard();
    const code = error instanceof CaziError ? error.code : "INTERNAL";
    ports.meter.add("cazi_artifact_refusals_total", { code });
    throw error;
  }
}

function bearerOf(authorization: string | undefined): string {
  const token = /^Bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
  if (token !== undefined) return token;
  throw new Rejection("WORKLOAD_TOKEN_INVALID", "The request has no workload token.", {
    hint: 'Send the header "Authorization: Bearer $CAZI_WORKLOAD_TOKEN".',
  });
}

/**
 * The name as it was sent, decoded once. The raw address is read: what has been tidied on the way could have been a
 * path that leads elsewhere.
 */
function nameOf(request: FastifyRequest): string {
  const [path = "", query = ""] = (request.raw.url ?? "").split("?", 2);
  const inPath = path.slice(ARTIFACTS_PATH.length + 1);
  const given = inPath === "" ? (new URLSearchParams(query).get("name") ?? "") : decoded(inPath);
  const name = artifactName(given);
  if (isRefusal(name)) throw new Rejection(name.code, `${name.message}.`);
  return name;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Rejection("ARTIFACT_NAME_INVALID", "The name in the address is not percent-encoded UTF-8.");
  }
}

/** The body of a request as it arrives. */
class Arrival {
  readonly #request: FastifyRequest;

  constructor(request: FastifyRequest) {
    this.#request = request;
  }

  /** Null for a body sent in chunks. */
  get declaredBytes(): number | null {
    const text = this.#request.headers["content-length"];
    return text === undefined ? null : Number(text);
  }

  /** @throws Rejection `ARTIFACT_INCOMPLETE` when the sender breaks off */
  async *bytes(): AsyncGenerator<Uint8Array> {
    try {
      // A refusal in the middle must still reach the sender: the connection stays.
      yield* this.#request.raw.iterator({ destroyOnReturn: false });
    } catch (cause) {
      if (cause instanceof CaziError) throw cause;
      throw new Rejection("ARTIFACT_INCOMPLETE", "The file did not come whole.", { cause });
    }
  }

  /**
   * Whoever is still sending does not read the answer: what is left is read and thrown away, within the time that any
   * upload has.
   */
  discard(): void {
    const { raw } = this.#request;
    if (raw.destroyed || raw.readableEnded) return;
    raw.on("error", () => undefined);
    raw.resume();
  }
}
