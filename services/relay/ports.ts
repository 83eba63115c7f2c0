/** What the relay needs of the world, as types. `natsPorts.ts` gives the real ones; tests put faults between. */
import type { EpochLink } from "../../schemas/messages/feed.ts";
import type { FeedCursor } from "./feedCursor.ts";
import type { FeedMessage } from "./feedMessage.ts";

/** `refused`: the stream is longer or shorter than expected; `unknown`: no answer, it may be stored or come late. */
export type Published = "stored" | "refused" | "unknown";

export interface EventsStream {
  /** @throws what the server answers when it cannot say */
  look(): Promise<{ readonly lastSeq: number; readonly last: FeedCursor | "foreign" | null }>;
  /** Stores a message only if the stream's last sequence is `lastSeq`. Never rejects. */
  publish(message: FeedMessage, lastSeq: number): Promise<Published>;
  /** Removes what is older than its bound, never the newest message. @returns how many */
  prune(): Promise<number>;
}

export interface LedgerLook {
  /** Asked now: which ledger there is, and how long. */
  look(): Promise<{ readonly epoch: string; readonly lastSeq: number }>;
  /** Id of the event at a sequence, from the leader; null when there is none. */
  eventIdAt(seq: number): Promise<string | null>;
}

export interface CursorStore {
  kept(): Promise<FeedCursor | null>;
  keep(cursor: FeedCursor): Promise<void>;
  /** Repairs of the ledger that are known. */
  links(): Promise<readonly EpochLink[]>;
}
