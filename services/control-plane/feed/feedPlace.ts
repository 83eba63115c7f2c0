/**
 * A place in the feed: everything up to this sequence has been read. The life tells one stream from another that
 * was made in its place, where the same sequence is another event. Written `<sequence>-<life>`.
 */
import { createHash } from "node:crypto";

export interface FeedPlace {
  readonly seq: number;
  /** Null where the reader did not say. */
  readonly life: string | null;
}

/** @param created the stream's creation time, as the server writes it */
export function lifeOf(created: string): string {
  return createHash("sha256").update(created).digest("hex").slice(0, 8);
}

export function formatPlace(place: FeedPlace): string {
  return place.life === null ? String(place.seq) : `${place.seq}-${place.life}`;
}

/** The place in `text`, or null when it is not one. */
export function parsePlace(text: string): FeedPlace | null {
  const found = /^(\d{1,15})(?:-([0-9a-f]{8}))?$/.exec(text);
  return found === null ? null : { seq: Number(found[1]), life: found[2] ?? null };
}
