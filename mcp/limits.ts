/** Characters of a result's JSON: above this, clients cut it or warn. */
export const resultCharsMax = 20_000;
/** Left for the members around a list or a text. */
export const resultFrameChars = 1_500;
/** Longest wait of one call: clients give up on a call after 60 s. */
export const waitSecondsMax = 50;
export const instructionsCharsMax = 2_048;

/** A wait that tells its progress looks this often whether the status changed. */
export const progressSliceSeconds = 1;
/** And says that it still waits after so long without a change. */
export const progressEveryMs = 5_000;

/** Tasks in one page of the list of resources. */
export const listedTasks = 50;
/** Bytes of one binary resource: in base64 this is less than the 10 MB that clients read as one message. */
export const rawBytesMax = 4 * 1024 * 1024;
/** Files named in a result beside the task itself. */
export const artifactsShownMax = 10;
/** Of a published file that is read as a resource: a report, not a data set. */
export const artifactBytesMax = 256 * 1024;
/** Characters that a prompt embeds of one task's log, of its history, and of its spec, each. */
export const evidenceCharsMax = 8_000;
/** Messages of one batch (2025-03-26; later versions have none). */
export const batchMax = 20;

/** Of one item's labels: a spec may have 64 of 256 characters, which are more than a whole result. */
export const labelsCharsMax = 6_000;
/** Of what one event of a history says: the first one holds a spec of up to 256 KiB. */
export const eventDataCharsMax = 4_000;
