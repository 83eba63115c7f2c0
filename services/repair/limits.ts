/** Events read at once from either side. An event is 1 KiB, at most 300; the embedded Postgres ends a transaction after 5 s. */
export const readEventsMax = 500;
/** Appends that await their answers together. */
export const appendsInFlight = 256;
/** Longest wait for the answer to one of them. */
export const appendWaitMs = 10_000;
/** Copies that get their new epoch in one transaction; the embedded server needs 0.1 ms for each, ten times that under load. */
export const renamedEventsMax = 2_000;
/** Differences that are told one by one. */
export const toldDifferencesMax = 10;
/** After the gates were told to close, what had been let through is appended within this time or fails. */
export const gatesCloseMs = 1_000;
/** Pause between two looks of the check that goes on by itself, and the events it compares in each. */
export const watchEveryMs = 5_000;
export const watchedEventsMax = 2_000;
/** Sequences without a readable message that such a look asks for one by one; the server may read the file anew for each. */
export const watchedUnreadableMax = 50;
/** All is compared again after this long. */
export const watchAgainMs = 3_600_000;
/** Deleted messages that are looked up one by one; with more, all is compared. */
export const explainedHolesMax = 50_000;
