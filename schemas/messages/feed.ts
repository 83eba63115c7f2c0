/** What the relay adds to each message of the feed, and keeps in the bucket `cursors`. */
import { z } from "zod";

/** Headers beside the CloudEvents attributes: the relay's cursor, so that the feed's own last message is its truth. */
export const feedHeaders = {
  /** The life of the ledger that {@link ledgerSeq} counts in. */
  epoch: "Cazi-Ledger-Epoch",
  ledgerSeq: "Cazi-Ledger-Seq",
  eventsSeq: "Cazi-Events-Seq",
} as const;

const seq = z.number().int().nonnegative();

/** The value at `relay.<shard>`: how far the feed is. A help; the feed's last message says the same. */
export const keptCursor = z.object({
  epoch: z.string(),
  ledger_seq: seq,
  events_seq: seq,
  event_id: z.string(),
});
export type KeptCursor = z.output<typeof keptCursor>;

/** A repair made a ledger anew: every event of `from_epoch` is at its old sequence in `to_epoch`. */
export const epochLink = z.object({ from_epoch: z.string(), to_epoch: z.string() });
export type EpochLink = z.output<typeof epochLink>;

/** The value at `epochs.<shard>`: the last repair, or all of them. */
export const epochLinks = z.union([z.array(epochLink), epochLink.transform((one) => [one])]);
