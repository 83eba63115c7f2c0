/** Every bound of the API, with the reason for its value. Names end in their unit. */
import { invariant } from "../kernel/errors.ts";

const KiB = 1024;
const MiB = 1024 * KiB;

/** A spec is at most 256 KiB; twice as much escaped, and room for a clear refusal instead of a cut connection. */
export const bodyBytesMax = MiB;
/** A refused body up to this size is read to its end and thrown away, so that the refusal reaches its sender. */
export const bodyDiscardBytesMax = 64 * MiB;
/** Node's own bound, said here so that it does not change with a version of Node. */
export const headerBytesMax = 16 * KiB;
/** Three times the bytes of the longest name of a file. */
export const pathPartCharsMax = 1536;
/** Time to send a whole request; a slower one only holds a connection. */
export const requestReceiveMs = 30_000;
/** What is being answered when the server ends has so long; then it is cut. Supervisors kill after ten seconds or more. */
export const endingMs = 5_000;

/** A running projector announces itself every second, so this is silence, not a slow one. */
export const projectorSilenceMs = 5_000;
/** Behind and not moving for so long: Postgres is away, and what is taken now would only be acknowledged late. */
export const projectorStallMs = 5_000;
/** What a client that was told to come back waits, in seconds: about the time a role needs to take over. */
export const retryAfterSeconds = 2;

/** What may come at once, in seconds of a rate limit's steady rate: a page of a console asks for a dozen things. */
export const rateBurstSeconds = 2;
/** Tokens and tenants whose use is remembered; each takes some hundred bytes. */
export const rateKeysMax = 10_000;
/** Addresses whose failed authentications are remembered. */
export const authFailureKeysMax = 10_000;
/** Tokens that were good once, so that what others of their address get wrong does not hold them up. */
export const knownTokensMax = 10_000;

/** Postgres and the bucket of tokens are compared this often; it brings only what a death between two writes left. */
export const peopleSyncMs = 30_000;
/** A replica that heard neither NATS nor Postgres for so long may hold a token that is revoked for a good one. */
export const peopleKnownMs = 90_000;

/** A sign-in waits for the issuer at most so long, for its document and again for its keys. */
export const signInFetchMs = 5_000;
/** Keys are asked for again for a key that is not known, but not more often. A rotated key is refused meanwhile. */
export const signInCooldownMs = 30_000;
/** Keys are believed for so long without asking. */
export const signInKeysMs = 600_000;

/** What a submit that a quota refused waits, where nobody knows when there is room. */
export const quotaRetryMs = 10_000;
/** A server of the API that has not said by then whether a tenant may submit; it may wait {@link storedBytesWaitMs} itself. */
export const quotaAnswerMs = 4_000;
/** A server of the API says this often that it is there, and counts for so long without a word; between, limits are divided wrongly. */
export const serverNoticeMs = 2_000;
export const serverSilenceMs = 7_000;

/** Bytes that a tenant's tasks keep are counted again after this: it reads all of its tasks' rows. */
export const storedBytesKnownMs = 30_000;
/** A Postgres that has not answered by then is taken for one that is away. */
export const storedBytesWaitMs = 1_000;

/** A read that waits for a position; a projector that is well takes milliseconds. */
export const minSeqWaitMs = 10_000;

/** Events of one task that are read one by one for its attempts where the read models do not have it yet. */
export const attemptEventsMax = 250;
/** Of a task with artifacts: each of its attempts adds at most as many events as it may publish files. */
export const artifactEventsMax = 5_000;
/** Events of a history that are read for what became of its sinks, which come last; the read models know of all. */
export const sinkEventsMax = 2_000;

/** How full disk and streams are is looked at this often; filling the last 15 % takes longer. */
export const storageCheckMs = 5_000;

/**
 * For how long verifiers may keep the public keys: shorter than a new key waits before it signs, so that they have it
 * by then.
 */
export const keySetAgeSeconds = 300;

/** Longer lines are cut, so that one line never has to be in memory whole. */
export const logLineBytesMax = 64 * KiB;
/** Bytes of lines in one page or kept for a tail; a page of long lines ends early. */
export const logPageBytesMax = 4 * MiB;
/** Bytes of output that one request for a page looks through: a second or two. It then answers with what it has. */
export const logScanBytesMax = 32 * MiB;
/** What reading a small chunk costs is that of so many bytes. */
export const logChunkBytesMin = KiB;
/** Chunks that a tail looks at first: a MiB where they are as large as nodes make them. */
export const logTailChunks = 8;
/** Of two streams' chunks, and of stored ones, one may have been read so much earlier than one before it. */
export const logDisorderMs = 5_000;
/** After the end of a task: its last bytes may be on their way for so long; then the follower ends without them. */
export const logTailMs = 15_000;
/** A proxy cuts a connection that says nothing for a minute. */
export const sseHeartbeatMs = 15_000;

/** Streams of events open at once: each holds a consumer at the NATS server and one fetch in memory. */
export const feedStreamsMax = 64;
/** Messages of one fetch from the feed: some 100 KB of events, 20 MB where each holds the largest spec there may be. */
export const feedFetchMessages = 64;
export const feedFetchExpiresMs = 20_000;
/** A reader that takes nothing for so long is gone, or might as well be. */
export const feedStallMs = 60_000;

/** Of standard output that is parsed or shown as text; more is at `/output/raw`. */
export const outputParseBytesMax = 4 * MiB;
export const outputTextBytesMax = MiB;
/** How much of an output that does not parse is shown. */
export const outputSampleBytesMax = 4 * KiB;
export const outputValuesMax = 20_000;
/** Deeper JSON would exhaust the stack when it is written out again. */
export const outputDepthMax = 128;

/** Of what one command of a script prints, kept. */
export const outputBytesOfCommand = MiB;
/** Commands of one attempt; quotas bound those of a tenant. */
export const callsMax = 9_999;
/** The compartment admits 64 arguments of 32 KiB together. */
export const commandPartsMax = 65;
export const bytesOfCommandMax = 256 * KiB;
export const processWaitSecondsMax = 60;

/** Longer than any real key; the header itself is bounded by the server. */
export const idempotencyKeyCharsMax = 255;
/** Ports tried after the default one. */
export const portsTried = 20;
/** How often Postgres is asked whether it is there. */
export const databaseProbeMs = 1_000;
/** Embedded, the question waits behind a batch of the projector; a second of that is not an outage. */
export const databaseProbeTimeoutMs = 5_000;

invariant(outputSampleBytesMax < outputTextBytesMax, "a sample is smaller than a text");
invariant(logLineBytesMax < logPageBytesMax, "a page has room for a line");
