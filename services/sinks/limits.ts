/** Every bound of the sinks role, with the reason for its value. Names end in their unit. */
import { invariant } from "../kernel/errors.ts";

const KiB = 1024;

/** Name resolution and connection together: an address that does not answer in this time is down. */
export const connectMs = 5_000;
/** From the whole request to the head of its answer. Receivers are told to answer first and work later. */
export const headersMs = 15_000;
/** A whole request of a webhook; one that answers a byte a second ends here. */
export const webhookMs = 30_000;
/** An upload may take longer: this much for every MiB on top. */
export const uploadMsPerMib = 2_000;
/** Of an answer that is read, for the record of a failure. */
export const answerBytesMax = 16 * KiB;
/** Of an answer that is recorded. */
export const answerCharsMax = 200;

/** Standard output up to this is in a webhook's body, larger is told by its digest and place. */
export const inlineBytesMax = 64 * KiB;

/** Tries under way at one target. A dead one holds these and no more. */
export const perTargetMax = 4;
/** Tries under way in all: each holds a socket, and a page of output. */
export const tryingMax = 128;
/** Sinks looked after at once, in the order in which their tasks ended; the fold holds the others. */
export const trackedMax = 20_000;
/** Ended tasks whose specs are read at once. */
export const loadingMax = 32;
/** How often is looked whether a try is due. */
export const sweepMs = 250;
/** How soon after new events: a walk of all that is open is not made for each batch of them. */
export const newsMs = 10;

invariant(connectMs + headersMs < webhookMs, "a request has time for each of its steps");
invariant(perTargetMax < tryingMax, "one target cannot take every try");
