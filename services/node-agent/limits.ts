/** Every bound of the node agent, with the reason for its value. Milliseconds and bytes. */
import { invariant } from "../kernel/errors.ts";

/**
 * A running attempt says so apart only when it is still running this long after its start: most tasks end
 * before, and then their one report carries start and end. One stored message a task is saved.
 */
export const runningReportDelayMs = 300;

/** A process that ends waits this long for its scripts to be terminated; each takes milliseconds. */
export const scriptsStopBoundMs = 5_000;

/** A log chunk is sent when it is this long … */
export const logChunkBytesMax = 128 * 1024;
/** … or this long after its first byte: what a person who follows a log does not notice. */
export const logChunkDelayMs = 25;
/** Bytes of one stream that wait for LOGS before its reader is told to hold on. */
export const logPendingBytesMax = 1024 * 1024;
/**
 * How long a full buffer may hold the engine's attach before it is dropped. The engine blocks the container
 * once its own megabyte is full, so this is the longest stall that a container can feel.
 */
export const attachStallMs = 250;
/** Connected time that a finished attempt waits for LOGS to take its rest; then the rest is counted as dropped. */
export const logFinishBoundMs = 30_000;
/** After the exit: time for the attach to end by itself before the engine's own log is read instead. */
export const attachEndBoundMs = 2_000;

/** An engine that says this often that it has no record of an ended container's output is believed. */
export const recordRefusalsMax = 5;

export const grantTimeoutMs = 5_000;
export const reportTimeoutMs = 5_000;
export const logTimeoutMs = 5_000;
export const registerTimeoutMs = 5_000;
export const heartbeatTimeoutMs = 5_000;
export const beatTimeoutMs = 5_000;
/** Back-off of everything that is repeated until it succeeds: doubling from the first to the last. */
export const retryFirstMs = 50;
export const retryLastMs = 2_000;

/** Claims asked for in one fetch: enough to keep thousands of tasks a second coming, few enough to share. */
export const fetchBatchMax = 512;
/** A fetch that brings nothing ends after this and is asked again. */
export const fetchExpiresMs = 30_000;

/** Ended attempts that make the agent beat early, so that a busy node does not hoard them until the next beat. */
export const heldBeatThreshold = 256;
/** At most one early beat in this time. */
export const earlyBeatSpacingMs = 200;
/** Ended attempts listed in one beat; the rest wait for the next. */
export const heldPerBeatMax = 2_000;
/** Attempts in one beat message: at most some 220 bytes each, below the server's default limit of 1 MiB. */
export const beatEntriesMax = 4_000;
/** Ended attempts kept before the node stops taking new ones: the control plane is not settling them. */
export const heldMax = 20_000;
/** An ended attempt that the ledger still wants is reported again after this: its report may be lost. */
export const reportAgainMs = 30_000;

/** A container's exit is looked for this often even when the engine's `wait` says nothing. */
export const waitWatchdogMs = 5_000;
/** SIGKILL is repeated at this interval until the container is verified gone. */
export const killRepeatMs = 2_000;
/** An engine that does not answer is asked again after this. */
export const engineRetryMs = 1_000;
/** An engine that is gone is looked for this often, so that one started later is taken up. */
export const engineProbeMs = 3_000;
/** Containers removed at once: removal competes with the starts of others for the engine's locks. */
export const removalsAtOnceMax = 4;

/** A pull that makes no progress for this long has failed. */
export const pullStallMs = 120_000;
/** Images pulled at once: more share the same line to the registry and each comes later. */
export const pullsAtOnceMax = 3;
/** Images are looked through this often: a disk fills slower, and one that is below its mark costs a glance. */
export const imageSweepMs = 60_000;
/** News of a pull's progress is given at most this often: what a person who waits wants to see move. */
export const pullNewsSpacingMs = 10_000;
/** News of progress, and of failed tries, of one attempt's pull; each costs the ledger an event. */
export const pullProgressNewsMax = 30;
export const pullFailureNewsMax = 30;
/** Of what an engine says about a failed pull. */
export const pullErrorCharsMax = 500;
/** Time for a registry to say when it may be asked again; it only betters a guess. */
export const retryAfterTimeoutMs = 3_000;
/** What a registry asks for beyond this is taken for this. */
export const retryAfterLongestMs = 86_400_000;

/** A node cut off acts this long before its attempts are given up, besides the grace that stopping takes. */
export const disconnectMarginMs = 5_000;

/** The longest that the end of an attempt waits for its files: a gigabyte over a slow line. */
export const artifactCollectMs = 300_000;
/** How often the folder of a container that runs is measured: a fast disk writes some gigabytes meanwhile. */
export const artifactMeasureMs = 1_000;
/** A measure that took long waits so many times longer for the next: at most a twentieth of a core. */
export const artifactMeasureShare = 20;
/** Beyond these a folder costs the disk its inodes, and the agent its time and its file handles. */
export const artifactFolderEntriesMax = 50_000;
export const artifactFolderDepthMax = 128;
/** Names looked at in the folder that a container left. */
export const artifactEntriesMax = 10_000;
/** Of one file; with the back-off some ten seconds. */
export const artifactTriesMax = 8;
/** A control plane that says nothing for so long to a file that is sent. */
export const artifactIdleMs = 30_000;
/** Files refused before the rest is given up: beyond the limit on files each would be. */
export const artifactRefusalsMax = 20;
/** Named in an attempt's message; more are counted. */
export const artifactToldMax = 5;
export const artifactAnswerBytesMax = 64 * 1024;

/** Revisions of one life of the agent: a later life begins above all that an earlier one used. */
export const revisionsPerGeneration = 1_000_000;

invariant(logChunkBytesMax * 2 <= logPendingBytesMax, "a chunk in flight leaves room to gather the next");
invariant(retryFirstMs < retryLastMs, "back-off grows");
invariant(heldPerBeatMax < beatEntriesMax, "what runs and what is held fit one beat of a usual node");
invariant(runningReportDelayMs < waitWatchdogMs, "the watchdog is not the usual way to see an exit");
invariant(heldBeatThreshold <= heldPerBeatMax, "one early beat lists all that asked for it");
