import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { type FollowFeedQuery, followFeedHeaders, followFeedQuery } from "../../../schemas/api/feed.ts";
import { Retryable } from "../../kernel/errors.ts";
import { parsePlace } from "../feed/feedPlace.ts";
import { followFeed } from "../feed/followFeed.ts";
import { principalOf } from "../http/authenticate.ts";
import { goneSignal, readHeaders, readQuery, whenOver } from "../http/readRequest.ts";
import { routeSchema } from "../http/routeSchema.ts";
import { feedStreamsMax } from "../limits.ts";
import type { ApiPorts } from "../ports.ts";

/** The public feed for those without NATS. */
export async function feedRoutes(app: FastifyInstance, ports: ApiPorts): Promise<void> {
  let open = 0;
  app.get("/v1/events/stream", {
    config: { role: "viewer" },
    schema: routeSchema({
      operationId: "follow_events",
      summary: "The tenant's events as they come",
      description:
        "Server-sent events: `start`; then `task` for each event, whose id is its place (resume with Last-Event-ID); " +
        "`gap` where events that were asked for are not kept any more. A comment every 15 s.",
      tags: ["feed"],
      querystring: followFeedQuery,
      headers: followFeedHeaders,
      problems: ["REQUEST_INVALID", "FEED_UNAVAILABLE", "FEED_STREAMS_FULL", "QUOTA_EXCEEDED"],
      answers: { 200: { about: "The stream.", content: { "text/event-stream": z.string() } } },
    }),
    handler: async (request, reply) => {
      const query = readQuery(followFeedQuery, request);
      // A place that cannot be read is refused: to begin at the feed's end would pass over what the reader has missed.
      const after = readHeaders(followFeedHeaders, request)["last-event-id"] ?? query.after;
      if (open >= feedStreamsMax) throw streamsFull();
      const end = ports.quotas.openFollow(principalOf(request).tenant);
      open++;
      whenOver(reply, () => {
        open--;
        end();
      });
      return sendFeed(request, reply, { ...query, after });
    },
  });

  async function sendFeed(
    request: FastifyRequest,
    reply: FastifyReply,
    query: FollowFeedQuery,
  ): Promise<FastifyReply> {
    const place = query.after === undefined ? null : parsePlace(query.after);
    const { tenant } = principalOf(request);
    const signal = AbortSignal.any([goneSignal(reply), ports.stopping]);
    const texts = followFeed(ports, { ...query, tenant, place, cut: () => reply.raw.destroy() }, signal);
    // The first text is awaited here, so that a feed that cannot be read is a problem and not a broken stream.
    const first = await texts.next();
    const body = Readable.from(whole(first, texts), { objectMode: false });
    body.on("error", (error) => ports.log.warn({ error, tenant }, "a stream of events broke off"));
    return reply
      .type("text/event-stream")
      .header("Cache-Control", "no-store")
      .header("X-Accel-Buffering", "no")
      .send(body);
  }
}

async function* whole(
  first: IteratorResult<string, void>,
  rest: AsyncGenerator<string, void>,
): AsyncGenerator<string> {
  try {
    for (let step = first; !step.done; step = await rest.next()) yield step.value;
  } finally {
    await rest.return();
  }
}

function streamsFull(): Retryable {
  return new Retryable("FEED_STREAMS_FULL", `${feedStreamsMax} streams of events are open at this server.`, {
    hint: "Come again, close streams that nobody reads, or subscribe on JetStream.",
  });
}
