import type { FastifyInstance } from "fastify";

/** Bodies in JSON of at most `bytesMax`, and no others; names that change a prototype are refused. */
export function takeJsonOnly(app: FastifyInstance, bytesMax: number): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    "application/json",
    { parseAs: "string", bodyLimit: bytesMax },
    app.getDefaultJsonParser("error", "error"),
  );
}
