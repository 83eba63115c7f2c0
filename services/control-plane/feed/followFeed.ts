import type { FollowFeedQuery } from "../../../schemas/api/feed.ts";
import { decodeTaskEvent } from "../../../schemas/taskEvents.ts";
import { sseComment, sseEvent } from "../http/serverSentEvents.ts";
import { feedStallMs, sseHeartbeatMs } from "../limits.ts";
import { chunksAndTicks } from "../output/chunksAndTicks.ts";
import type { ApiPorts } from "../ports.ts";
import { feedEventOf } from "./feedEventOf.ts";
import { type FeedPlace, formatPlace } from "./feedPlace.ts";
import type { FeedStep } from "./feedSource.ts";
import { whereToBegin } from "./whereToBegin.ts";

export interface FollowFeed extends Pick<FollowFeedQuery, "types" | "format"> {
  readonly tenant: string;
  /** Null: from now on. */
  readonly place: FeedPlace | null;
  /** Ends a connection whose reader takes nothing. */
  cut(): void;
}

/**
 * The text of a stream of server-sent events: `start`, then `task` and `gap` as they come, and a comment when nothing
 * did. Ends with the signal. A reader that is slow is waited for: what it has not taken is not fetched either; one that
 * takes nothing for {@link feedStallMs} is cut off, since it holds a place that others want.
 * @throws Retryable `FEED_UNAVAILABLE`, on the first step
 */
export async function* followFeed(
  ports: Pick<ApiPorts, "feed">,
  of: FollowFeed,
  signal: AbortSignal,
): AsyncGenerator<string, void> {
  const ends = await ports.feed.ends();
  const begin = whereToBegin(ends, of.place);
  const start: FeedPlace = of.place ?? { seq: begin.after, life: ends.life };
  const data = { first: ends.firstSeq, last: ends.lastSeq };
  // With an id, so that a reader that loses the connection before its first event misses none.
  const id = formatPlace({ seq: start.seq, life: start.life ?? ends.life });
  yield sseEvent({ event: "start", id, data });
  const only = of.types?.length === 1 ? of.types[0]! : null;
  const steps = ports.feed.follow({ tenant: of.tenant, transition: only, after: start }, signal);
  const wake = new Promise<void>((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
  for await (const step of chunksAndTicks(steps, { tickMs: sseHeartbeatMs, wake })) {
    if (signal.aborted) return;
    const text = step === null ? sseComment : textOf(step, of);
    if (text === "") continue;
    const timer = setTimeout(of.cut, feedStallMs);
    try {
      yield text;
    } finally {
      clearTimeout(timer);
    }
  }
}

/** "" for an event that was not asked for. */
function textOf(step: FeedStep, of: FollowFeed): string {
  if (step.kind === "gap") return sseEvent({ event: "gap", id: formatPlace(step.at), data: step.gap });
  const { entry } = step;
  if (of.types !== undefined && of.types.length > 1) {
    const { type } = decodeTaskEvent(entry.bytes).body;
    if (!of.types.includes(type)) return "";
  }
  return sseEvent({ event: "task", id: formatPlace(entry), data: feedEventOf(entry, of.format) });
}
