import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { artifactList } from "../../../schemas/api/artifact.ts";
import { taskParams } from "../../../schemas/api/taskRequests.ts";
import { Rejection } from "../../kernel/errors.ts";
import { viewOf } from "../artifacts/artifactViews.ts";
import { contentDisposition } from "../artifacts/contentDisposition.ts";
import { bytesOf, findArtifact, listArtifacts, rangeOf } from "../artifacts/readArtifact.ts";
import { conditionalRead, notModified, tagHeader } from "../http/conditionalHeaders.ts";
import { hasTag, sendTagged } from "../http/etag.ts";
import { readQuery, taskKeyOf } from "../http/readRequest.ts";
import { ofTask } from "../http/routeProblems.ts";
import { routeSchema } from "../http/routeSchema.ts";
import type { ApiPorts } from "../ports.ts";

const nameParams = taskParams.extend({
  name: z.string().describe("The file's name, percent-encoded; slashes in it may also stand as they are."),
});

/** A file of a task runs nothing where it is opened, whatever it holds. */
const SANDBOX = "sandbox; default-src 'none'; frame-ancestors 'none'";

/** Files that tasks published. */
export async function artifactRoutes(app: FastifyInstance, ports: ApiPorts): Promise<void> {
  app.get("/v1/tasks/:id/artifacts", {
    config: { role: "viewer" },
    schema: routeSchema({
      operationId: "list_artifacts",
      summary: "Files that a task published, by name",
      tags: ["artifacts"],
      params: taskParams,
      headers: conditionalRead,
      problems: [...ofTask, "REQUEST_INVALID"],
      answers: {
        200: { about: "The files.", content: { "application/json": artifactList }, headers: tagHeader },
        304: notModified,
      },
    }),
    handler: async (request, reply) => {
      readQuery(z.strictObject({}), request);
      const data = (await listArtifacts(ports.artifacts, taskKeyOf(request))).map(viewOf);
      return sendTagged(request, reply, { value: { data }, position: null });
    },
  });

  app.get("/v1/tasks/:id/artifacts/:name", {
    config: { role: "viewer" },
    schema: routeSchema({
      operationId: "get_artifact",
      summary: "The bytes of a file that a task published",
      description:
        "An attachment, with the media type that was said of it. A part of it with `Range` (one range of bytes). The " +
        "bytes are checked on the way: a damaged file breaks off.",
      tags: ["artifacts"],
      params: nameParams,
      headers: conditionalRead,
      problems: [
        ...ofTask,
        "REQUEST_INVALID",
        "ARTIFACT_NOT_FOUND",
        "ARTIFACT_EXPIRED",
        "ARTIFACT_STORE_UNAVAILABLE",
        "RANGE_NOT_SATISFIABLE",
      ],
      answers: {
        200: { about: "The bytes.", content: { "application/octet-stream": z.string() }, headers: tagHeader },
        206: { about: "A part.", content: { "application/octet-stream": z.string() }, headers: tagHeader },
        304: notModified,
      },
    }),
    handler: (request, reply) => sendArtifact(ports, request, reply),
  });

  // The same, for a name whose slashes are not encoded: one route to a document, and two to a router.
  app.get("/v1/tasks/:id/artifacts/*", {
    config: { role: "viewer" },
    schema: { hide: true },
    handler: (request, reply) => sendArtifact(ports, request, reply),
  });
}

async function sendArtifact(
  ports: ApiPorts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  readQuery(z.strictObject({}), request);
  const { name, "*": rest } = request.params as { name?: string; "*"?: string };
  const { artifact, object } = await findArtifact(ports.artifacts, taskKeyOf(request), name ?? rest ?? "");
  const tag = `"${artifact.sha256}"`;
  reply
    .header("ETag", tag)
    .header("Cache-Control", "private, no-cache")
    .header("Content-Disposition", contentDisposition(artifact.name))
    .header("Content-Security-Policy", SANDBOX)
    .header("Last-Modified", new Date(artifact.stored_at).toUTCString())
    .header("Accept-Ranges", "bytes");
  if (hasTag(request.headers["if-none-match"], tag)) return reply.code(304).send();
  const range = wantedRange(request, tag, artifact.bytes);
  if (range === "unsatisfiable") {
    reply.header("Content-Range", `bytes */${artifact.bytes}`);
    throw new Rejection("RANGE_NOT_SATISFIABLE", `The file has ${artifact.bytes} bytes.`);
  }
  const length = range === null ? artifact.bytes : range.end - range.start + 1;
  reply.type(artifact.media_type).header("Content-Length", length);
  if (range !== null) {
    reply.code(206).header("Content-Range", `bytes ${range.start}-${range.end}/${artifact.bytes}`);
  }
  if (request.method === "HEAD") return reply.send(Readable.from([], { objectMode: false }));
  const hash = () => createHash("sha256");
  const bytes = Readable.from(bytesOf(ports.artifacts.store, object, range, hash), { objectMode: false });
  // The headers are out by then: cutting the connection is all the reader sees.
  bytes.on("error", (error) => ports.log.error({ error, artifact: object.name }, "a file broke off"));
  return reply.send(bytes);
}

/**
 * A range of another version of the file than the caller has would be no part of it (RFC 9110, 13.1.5), and only GET
 * has parts at all (14.2).
 */
function wantedRange(request: FastifyRequest, tag: string, bytes: number) {
  if (request.method !== "GET") return null;
  const condition = request.headers["if-range"];
  if (condition !== undefined && condition !== tag) return null;
  return rangeOf(request.headers.range, bytes);
}
