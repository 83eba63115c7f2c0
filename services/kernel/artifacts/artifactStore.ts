import { createHash } from "node:crypto";
import { DeliverPolicy, headers, JsHeaders, NatsError, nuid } from "nats";
import { filters, subjects } from "../../../streams/subjects.ts";
import { CaziError, Rejection, Retryable } from "../errors.ts";
import { isNoMessage } from "../ledger/appendEvent.ts";
import type { TaskKey } from "../ledger/taskLedger.ts";
import type { Nats } from "../nats/connectNats.ts";
import { inChunks } from "./inChunks.ts";

const BUCKET = "artifacts";
const STREAM = `OBJ_${BUCKET}`;
const CHUNK_BYTES = 128 * 1024;
/** Chunks of one upload on their way to the server: enough to keep it busy, little enough to hold in memory. */
const IN_FLIGHT = 4;
const TIMEOUT_MS = 10_000;
/** Chunks read at once: two megabytes, which is what a reader holds in memory. */
const FETCHED = 16;
/** Of chunks that are stored: they come at once or the server is gone. */
const FETCH_MS = 2_000;
const FETCHES_IN_VAIN_MAX = 10;
const UNAVAILABLE = "ARTIFACT_STORE_UNAVAILABLE";
/** Chunks without an object that are younger are of an upload under way. */
const ORPHAN_AGE_MS = 3_600_000;

/** What is known of an object. Its layout is that of NATS's own object buckets, so its tools read it too. */
export interface StoredObject {
  readonly name: string;
  readonly nuid: string;
  readonly bytes: number;
  /** Hex. */
  readonly sha256: string;
  /** Milliseconds since 1970, the writer's clock. */
  readonly stored_at: number;
}

/**
 * The bytes of artifacts. Written here and not with the client's own object store: that publishes all chunks
 * without waiting for one, and pushes them to a reader however slow it is, so a large file would be in memory
 * whole, twice.
 */
export interface ArtifactStore {
  /**
   * Stores what `source` gives, in pieces, holding it back as the server is slow. Nothing is there until all is.
   * @param name of {@link objectName}, never used before
   * @throws Rejection `ARTIFACT_TOO_LARGE`; Retryable `ARTIFACT_STORE_FULL`, `ARTIFACT_STORE_UNAVAILABLE`; what `source` throws
   */
  put(
    name: string,
    source: AsyncIterable<Uint8Array>,
    of: { readonly bytesMax: number; readonly now: () => number },
  ): Promise<StoredObject>;
  find(name: string): Promise<StoredObject | null>;
  /** The bytes from `offset` on, two megabytes in memory. @throws Retryable `ARTIFACT_STORE_UNAVAILABLE` */
  read(object: StoredObject, offset: number): AsyncGenerator<Uint8Array, void>;
  /** Removing what is not there is no failure. */
  remove(name: string): Promise<void>;
  /** Every object there is. */
  list(): Promise<readonly StoredObject[]>;
  /** Removes chunks of uploads that broke off with their process. @returns how many uploads */
  removeOrphans(nowMs: number): Promise<number>;
}

/** @param event id of the event that records it */
export function objectName({ tenant, task }: TaskKey, event: string): string {
  return `${tenant}/${task}/${event}`;
}

/** The parts of an object's name; null for one that is not of an artifact. */
export function parseObjectName(name: string): (TaskKey & { readonly event: string }) | null {
  const [tenant, task, event, more] = name.split("/");
  return tenant && task && event && more === undefined ? { tenant, task, event } : null;
}

export function openArtifactStore(nats: Pick<Nats, "js" | "jsm">): ArtifactStore {
  const { jsm } = nats;
  const remove = async (name: string) => {
    const meta = await findMeta(nats, name);
    if (meta === null) return;
    // What is known of it goes last: whoever dies in between leaves an object that is removed again.
    await purge(nats, subjects.objectChunks({ bucket: BUCKET, nuid: meta.nuid }));
    await purge(nats, subjects.objectMeta({ bucket: BUCKET, name }));
  };
  return {
    put: (name, source, of) => put(nats, name, source, of),
    find: (name) => asked(() => findMeta(nats, name)),
    read: (object, offset) => read(nats, object, offset),
    remove: (name) => asked(() => remove(name)),
    list: () => asked(() => list(nats)),
    removeOrphans: (nowMs) =>
      asked(async () => {
        const known = new Set((await list(nats)).map((one) => one.nuid));
        const filter = filters.objectChunks({ bucket: BUCKET });
        const { state } = await jsm.streams.info(STREAM, { subjects_filter: filter });
        let removed = 0;
        for (const subject of Object.keys(state.subjects ?? {})) {
          if (known.has(subject.slice(subject.lastIndexOf(".") + 1))) continue;
          const last = await jsm.streams.getMessage(STREAM, { last_by_subj: subject });
          if (nowMs - last.time.getTime() < ORPHAN_AGE_MS) continue;
          await purge(nats, subject);
          removed++;
        }
        return removed;
      }),
  };
}

async function put(
  nats: Pick<Nats, "js" | "jsm">,
  name: string,
  source: AsyncIterable<Uint8Array>,
  of: { readonly bytesMax: number; readonly now: () => number },
): Promise<StoredObject> {
  const id = nuid.next();
  const subject = subjects.objectChunks({ bucket: BUCKET, nuid: id });
  const hash = createHash("sha256");
  const sent: Promise<unknown>[] = [];
  let bytes = 0;
  let chunks = 0;
  try {
    for await (const chunk of inChunks(counted(source, of.bytesMax), CHUNK_BYTES)) {
      hash.update(chunk);
      bytes += chunk.length;
      chunks++;
      const publish = nats.js.publish(subject, chunk, { timeout: TIMEOUT_MS });
      // Looked at in its turn; until then a failure is nobody's.
      publish.catch(() => undefined);
      sent.push(publish);
      if (sent.length >= IN_FLIGHT) await sent.shift();
    }
    await Promise.all(sent);
    const sha256 = hash.digest("hex");
    const object = { name, nuid: id, bytes, sha256, stored_at: of.now() };
    await putMeta(nats, object, chunks);
    return object;
  } catch (error) {
    // Left behind where this fails too: `removeOrphans` finds it.
    await purge(nats, subject).catch(() => undefined);
    throw asStoreError(error);
  }
}

/** @throws Rejection `ARTIFACT_TOO_LARGE` at the first byte too many */
async function* counted(source: AsyncIterable<Uint8Array>, bytesMax: number): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const piece of source) {
    bytes += piece.length;
    if (bytes > bytesMax) throw tooLarge(bytesMax);
    yield piece;
  }
}

/** A file beyond the bound. */
export function tooLarge(bytesMax: number): Rejection {
  return new Rejection("ARTIFACT_TOO_LARGE", `A file may hold ${bytesMax} bytes.`);
}

async function putMeta(nats: Pick<Nats, "js" | "jsm">, object: StoredObject, chunks: number): Promise<void> {
  const { name, bytes, sha256, stored_at } = object;
  const digest = Buffer.from(sha256, "hex").toString("base64").replaceAll("+", "-").replaceAll("/", "_");
  const info = {
    name,
    options: { max_chunk_size: CHUNK_BYTES },
    bucket: BUCKET,
    nuid: object.nuid,
    size: bytes,
    chunks,
    mtime: new Date(stored_at).toISOString(),
    digest: `SHA-256=${digest}`,
    deleted: false,
  };
  const rollup = headers();
  rollup.set(JsHeaders.RollupHdr, JsHeaders.RollupValueSubject);
  await nats.js.publish(subjects.objectMeta({ bucket: BUCKET, name }), JSON.stringify(info), {
    headers: rollup,
    timeout: TIMEOUT_MS,
  });
}

/** What a server keeps of an object, as far as it matters here. */
interface ObjectMeta {
  readonly name: string;
  readonly nuid: string;
  readonly size: number;
  readonly digest: string;
  readonly mtime: string;
  readonly deleted?: boolean;
}

async function findMeta(nats: Pick<Nats, "jsm">, name: string): Promise<StoredObject | null> {
  try {
    const subject = subjects.objectMeta({ bucket: BUCKET, name });
    const message = await nats.jsm.streams.getMessage(STREAM, { last_by_subj: subject });
    const meta = message.json<ObjectMeta>();
    return meta.deleted ? null : { ...toObject(meta), stored_at: message.time.getTime() };
  } catch (error) {
    if (isNoMessage(error)) return null;
    throw error;
  }
}

function toObject({ name, nuid: id, size, digest, mtime }: ObjectMeta): StoredObject {
  const sha256 = Buffer.from(digest.replace(/^SHA-256=/, ""), "base64url").toString("hex");
  return { name, nuid: id, bytes: size, sha256, stored_at: Date.parse(mtime) };
}

async function list({ js }: Pick<Nats, "js">): Promise<readonly StoredObject[]> {
  const bucket = await js.views.os(BUCKET);
  return (await bucket.list()).filter((one) => !one.deleted).map(toObject);
}

async function* read(
  nats: Pick<Nats, "js">,
  object: StoredObject,
  offset: number,
): AsyncGenerator<Uint8Array, void> {
  const filterSubjects = subjects.objectChunks({ bucket: BUCKET, nuid: object.nuid });
  let next = 1;
  let idle = 0;
  for (let at = 0; at < object.bytes; ) {
    const wanted = Math.min(FETCHED, Math.ceil((object.bytes - at) / CHUNK_BYTES));
    const { chunks, after } = await asked(() => fetchChunks(nats, { filterSubjects, next, wanted }));
    next = after;
    idle = chunks.length === 0 ? idle + 1 : 0;
    // An answer without a chunk is a server that comes back, or bytes that are gone.
    if (idle > FETCHES_IN_VAIN_MAX) throw new Retryable(UNAVAILABLE, `Bytes of ${object.name} do not come.`);
    for (const chunk of chunks) {
      const skip = Math.max(0, offset - at);
      at += chunk.length;
      if (skip < chunk.length) yield chunk.subarray(skip);
    }
  }
}

/**
 * Some chunks at once, all taken before the reader gets the first: a fetch has its time, and a slow reader has more.
 * One by one, with the client's question for a single message, costs eight times the processor time.
 */
async function fetchChunks(
  { js }: Pick<Nats, "js">,
  of: { readonly filterSubjects: string; readonly next: number; readonly wanted: number },
): Promise<{ readonly chunks: readonly Uint8Array[]; readonly after: number }> {
  const consumer = await js.consumers.get(STREAM, {
    filterSubjects: of.filterSubjects,
    deliver_policy: DeliverPolicy.StartSequence,
    opt_start_seq: of.next,
  });
  const chunks: Uint8Array[] = [];
  let after = of.next;
  try {
    for await (const message of await consumer.fetch({ max_messages: of.wanted, expires: FETCH_MS })) {
      chunks.push(message.data);
      after = message.seq + 1;
    }
  } finally {
    // It ends by itself after a while; the answer changes nothing.
    void consumer.delete().catch(() => undefined);
  }
  return { chunks, after };
}

async function purge({ jsm }: Pick<Nats, "jsm">, filter: string): Promise<void> {
  await jsm.streams.purge(STREAM, { filter });
}

async function asked<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asStoreError(error);
  }
}

/** Insufficient resources or storage, and the bucket's own limit. */
const FULL_CODES: ReadonlySet<number> = new Set([10023, 10047, 10077]);

/** Only the store's own failures are renamed: what the source of an upload throws is not one. */
function asStoreError(error: unknown): unknown {
  if (error instanceof CaziError || !(error instanceof NatsError)) return error;
  if (FULL_CODES.has(error.api_error?.err_code ?? 0)) {
    return new Retryable("ARTIFACT_STORE_FULL", "There is no room for another file.", { cause: error });
  }
  return new Retryable(UNAVAILABLE, "The store of artifacts does not answer.", {
    cause: error,
  });
}
