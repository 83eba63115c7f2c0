import { isRefusal } from "../../domain/refusal.ts";
import { artifactName } from "../../domain/task/artifactName.ts";
import type { HostedArtifact } from "../../domain/task/artifacts.ts";
import { type ArtifactStore, objectName, type StoredObject } from "../../kernel/artifacts/artifactStore.ts";
import type { Clock } from "../../kernel/clock.ts";
import { Rejection, Retryable } from "../../kernel/errors.ts";
import type { TaskKey } from "../../kernel/ledger/taskLedger.ts";
import type { ArtifactRecords } from "./artifactRecords.ts";
import { byName } from "./artifactViews.ts";

export interface ReadPorts {
  readonly records: ArtifactRecords;
  readonly store: ArtifactStore;
  readonly clock: Clock;
}

/** The files of a task that are hosted now. @throws Rejection `TASK_NOT_FOUND`, `TASK_ERASED`; Retryable `LEDGER_UNAVAILABLE` */
export async function listArtifacts(ports: ReadPorts, key: TaskKey): Promise<readonly HostedArtifact[]> {
  return byName((await ports.records.read(key)).artifacts);
}

/**
 * One file of a task and where its bytes are.
 * @throws as {@link listArtifacts}; Rejection `ARTIFACT_NOT_FOUND`, `ARTIFACT_EXPIRED`; Retryable `ARTIFACT_STORE_UNAVAILABLE`
 */
export async function findArtifact(
  ports: ReadPorts,
  key: TaskKey,
  given: string,
): Promise<{ readonly artifact: HostedArtifact; readonly object: StoredObject }> {
  const { artifacts } = await ports.records.read(key);
  const name = artifactName(given);
  const artifact = isRefusal(name) ? undefined : artifacts.hosted.get(name);
  if (artifact === undefined) {
    if (!isRefusal(name) && artifacts.removed.has(name)) throw expired();
    throw new Rejection("ARTIFACT_NOT_FOUND", "The task has published no file of this name.");
  }
  if (artifact.expires_at <= ports.clock.now()) throw expired();
  const object = await ports.store.find(objectName(key, artifact.id));
  // It may have gone between the two reads; else the store has lost it, which is its failure and not the caller's.
  if (object === null)
    throw new Retryable("ARTIFACT_STORE_UNAVAILABLE", "The bytes of the file are not there.");
  return { artifact, object };
}

function expired(): Rejection {
  return new Rejection("ARTIFACT_EXPIRED", "The file was published, and its time is over.");
}

/** A part of a file: `start` to `end`, both counted, as in a header `Content-Range`. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * What a header `Range` asks for (RFC 9110, 14.2). Pure.
 * @returns null for the whole: no range, one in other units, or several, which a server may ignore; `unsatisfiable`
 *   for one that lies beyond the end
 */
export function rangeOf(header: string | undefined, bytes: number): ByteRange | "unsatisfiable" | null {
  const match = /^bytes=(\d*)-(\d*)$/i.exec(header?.trim() ?? "");
  const [, from = "", to = ""] = match ?? [];
  if (from === "" && to === "") return null;
  if (from === "") {
    const length = Math.min(Number(to), bytes);
    return length === 0 ? "unsatisfiable" : { start: bytes - length, end: bytes - 1 };
  }
  if (to !== "" && Number(to) < Number(from)) return null;
  if (Number(from) >= bytes) return "unsatisfiable";
  return { start: Number(from), end: to === "" ? bytes - 1 : Math.min(Number(to), bytes - 1) };
}

/**
 * The bytes of a file, or of a part of it. The whole is checked against its digest: a file that was damaged in the
 * store ends before its last bytes, so that its reader sees a broken answer and never a wrong file.
 */
export async function* bytesOf(
  store: ArtifactStore,
  object: StoredObject,
  range: ByteRange | null,
  newHash: () => { update(bytes: Uint8Array): unknown; digest(encoding: "hex"): string },
): AsyncGenerator<Uint8Array> {
  if (range !== null) return yield* partOf(store, object, range);
  const hash = newHash();
  let held: Uint8Array | null = null;
  for await (const chunk of store.read(object, 0)) {
    if (held !== null) yield held;
    hash.update(chunk);
    held = chunk;
  }
  if (hash.digest("hex") !== object.sha256) throw new Error(`the bytes of ${object.name} are damaged`);
  if (held !== null) yield held;
}

async function* partOf(
  store: ArtifactStore,
  object: StoredObject,
  { start, end }: ByteRange,
): AsyncGenerator<Uint8Array> {
  let left = end - start + 1;
  for await (const chunk of store.read(object, start)) {
    yield chunk.subarray(0, left);
    left -= chunk.length;
    if (left <= 0) return;
  }
}
