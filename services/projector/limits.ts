import { invariant } from "../kernel/errors.ts";

/**
 * Largest batch, in events. A batch is one statement: larger ones save round trips and commits, but an
 * acknowledgement waits for the whole batch, and the embedded server ends a transaction after 5 s.
 */
export const batchEventsMax = 1_000;
/** Smallest batch that trouble shrinks it to: one that a server this slow cannot write is no work for it at all. */
export const batchEventsMin = 10;
/** Largest batch, in bytes of events; a larger single event goes alone. Bounds the memory of both sides. */
export const batchBytesMax = 8 * 1024 * 1024;
/** The position is announced this often even when nothing happens: waiters tell a slow projector from a dead one. */
export const announceEveryMs = 1_000;
/** Pauses between attempts while Postgres is down, doubling from the first to the longest. */
export const retryFirstMs = 100;
export const retryLongestMs = 2_000;
/** Newest copies compared with the ledger by the regression guard, in case the very newest were erased there. */
export const witnessesMax = 16;
/**
 * Events of one transaction of a rebuild. The embedded server needs 0.2 ms for each, ten times that on a loaded
 * machine, and ends a transaction after 5 s.
 */
export const rebuildEventsMax = 250;
/** Tasks of one transaction of a rebuild: two events are read and one row is written for each. */
export const rebuildTasksMax = 500;
/** A rebuild that did nothing for this long was killed: its longest step takes 5 s on the embedded server, and holds a lock. */
export const rebuildLeaseSeconds = 30;

invariant(retryFirstMs < retryLongestMs, "the pause between attempts grows");
invariant(
  batchEventsMax <= 5 * rebuildEventsMax,
  "what is left under the rebuild's lock is at most a few batches",
);
