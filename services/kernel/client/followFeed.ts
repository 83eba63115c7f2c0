/** The tenant's feed as it comes, over any number of broken connections. */
import { setTimeout as pause } from "node:timers/promises";
import type { FeedEvent, FeedGap, FeedStart } from "../../../schemas/api/feed.ts";
import type { Clock } from "../clock.ts";
import { CaziError } from "../errors.ts";
import type { Http, HttpRequest } from "./http.ts";
import { awayMaxMs, pauseMs, sseConnection } from "./sseConnection.ts";
import type { SseMessage } from "./sseParser.ts";

export interface FollowFeedOptions {
  /** Only these transitions. */
  readonly types?: readonly string[] | undefined;
  /** A place; "0" for all there is. Unless given, what comes from now on. */
  readonly after?: string | undefined;
  readonly format?: "json" | "avro" | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** `place` is what to keep once the item is dealt with: the next follower goes on after it. */
export type FeedItem =
  | { readonly kind: "start"; readonly place: string; readonly start: FeedStart }
  | { readonly kind: "event"; readonly place: string; readonly event: FeedEvent }
  | { readonly kind: "gap"; readonly place: string; readonly gap: FeedGap };

/**
 * Items in order, each event once, as many at a time as came together, for ever. A broken connection is taken up after
 * the last item that was given.
 * @throws what the request throws; `API_UNREACHABLE` after 60 s without the server
 */
export async function* followFeed(
  http: Http,
  of: { readonly url: string; readonly clock: Clock },
  options: FollowFeedOptions = {},
): AsyncGenerator<readonly FeedItem[], void, undefined> {
  let place: string | null = null;
  let lastContactMs = of.clock.monotonicMs();
  for (;;) {
    try {
      for await (const messages of sseConnection(http, requestOf(options, place), of.url)) {
        lastContactMs = of.clock.monotonicMs();
        const items = messages.map(itemOf).filter((item) => item !== null);
        if (items.length > 0) yield items;
        place = items.at(-1)?.place ?? place;
      }
    } catch (error) {
      if (!(error instanceof CaziError) || error.family !== "retryable") throw error;
      if (of.clock.monotonicMs() - lastContactMs > awayMaxMs) throw error;
    }
    await pause(pauseMs, undefined, options.signal === undefined ? {} : { signal: options.signal });
  }
}

function requestOf({ types, after, format, signal }: FollowFeedOptions, place: string | null): HttpRequest {
  return {
    method: "GET",
    path: "/v1/events/stream",
    query: { types, format, ...(place === null ? { after } : {}) },
    headers: { accept: "text/event-stream", ...(place === null ? {} : { "last-event-id": place }) },
    signal,
  };
}

/** Null for what this version does not know. */
function itemOf({ event, id, data }: SseMessage): FeedItem | null {
  const place = id ?? "";
  if (event === "start") return { kind: "start", place, start: JSON.parse(data) };
  if (event === "task") return { kind: "event", place, event: JSON.parse(data) };
  if (event === "gap") return { kind: "gap", place, gap: JSON.parse(data) };
  return null;
}
