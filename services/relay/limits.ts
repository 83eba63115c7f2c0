import { invariant } from "../kernel/errors.ts";

/** Publishes on their way at once. More brought no more on two cores: the server was the limit. */
export const inFlightMax = 256;
/** Events taken from the ledger's feed at once; the window is empty only between two such batches. */
export const batchEventsMax = 2_000;
/** An answer that takes longer is not waited for: the stream is asked what it holds. */
export const ackWaitMs = 4_000;
/** Pause after an outcome that is not known, doubling from the first to the longest. */
export const retryFirstMs = 100;
export const retryLongestMs = 1_000;
/** The cursor is kept in the bucket at most this often: it is a help, and a stored message each time. */
export const keepCursorEveryMs = 1_000;
/** How far the ledger is, and whether it still is the same one, is asked this often. */
export const lookEveryMs = 1_000;
/** Messages beyond the feed's age are removed this often. */
export const pruneEveryMs = 600_000;

invariant(retryFirstMs < retryLongestMs, "the pause between attempts grows");
invariant(inFlightMax <= batchEventsMax, "a batch fills the window");
