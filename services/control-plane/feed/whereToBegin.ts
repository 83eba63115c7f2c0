import type { FeedGap } from "../../../schemas/api/feed.ts";
import type { FeedPlace } from "./feedPlace.ts";

/** What the feed's stream holds now. */
export interface FeedEnds {
  readonly life: string;
  /** One beyond {@link lastSeq} where it holds nothing. */
  readonly firstSeq: number;
  readonly lastSeq: number;
}

/** Where reading begins, and what cannot be read any more. */
export interface Beginning {
  /** What comes after this sequence is read. */
  readonly after: number;
  readonly gap: FeedGap | null;
}

/**
 * Where a reader begins that has read up to `place`; null for one that wants what comes from now on. Pure.
 * A place that this feed never had (beyond its end, or of another life) begins at the oldest event that there is.
 */
export function whereToBegin(ends: FeedEnds, place: FeedPlace | null): Beginning {
  const { life, firstSeq, lastSeq } = ends;
  if (place === null) return { after: lastSeq, gap: null };
  const oldest = firstSeq - 1;
  if (place.life !== null && place.life !== life)
    return { after: oldest, gap: { reason: "other_life", from: null, to: null } };
  if (place.seq > lastSeq) return { after: oldest, gap: { reason: "beyond", from: null, to: null } };
  if (place.seq < oldest)
    return { after: oldest, gap: { reason: "pruned", from: place.seq + 1, to: oldest } };
  return { after: place.seq, gap: null };
}

/**
 * What was removed in front of a reader that is behind. Pure.
 * @param read sequence up to which it has read; `next` of the message that came then
 */
export function removedBetween(ends: FeedEnds, read: number, next: number): FeedGap | null {
  const to = Math.min(ends.firstSeq, next) - 1;
  return to > read ? { reason: "pruned", from: read + 1, to } : null;
}
