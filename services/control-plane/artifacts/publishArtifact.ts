import { isRefusal, type Refusal } from "../../domain/refusal.ts";
import type { HostedArtifact } from "../../domain/task/artifacts.ts";
import { decideArtifact } from "../../domain/task/decideArtifact.ts";
import type { TaskCommand } from "../../domain/task/taskCommand.ts";
import { type ArtifactStore, objectName, tooLarge } from "../../kernel/artifacts/artifactStore.ts";
import type { Clock } from "../../kernel/clock.ts";
import { Rejection, Retryable } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import type { TaskKey, TaskLedger } from "../../kernel/ledger/taskLedger.ts";
import type { Log } from "../../kernel/log.ts";
import type { ArtifactRecord, ArtifactRecords } from "./artifactRecords.ts";
import type { HostedFiles } from "./hostedFiles.ts";
import { mediaTypeOf } from "./mediaType.ts";

/** Whom a verified workload token speaks for. */
export interface Workload extends TaskKey {
  readonly attempt: number;
  readonly fence: string;
}

export interface ArtifactLimits {
  readonly fileBytesMax: number;
  readonly filesMax: number;
  readonly taskBytesMax: number;
}

export interface PublishPorts {
  readonly ledger: Pick<TaskLedger, "load" | "execute">;
  readonly records: ArtifactRecords;
  readonly store: ArtifactStore;
  readonly limits: ArtifactLimits;
  /** Whether the tenant may store so many bytes more. @throws Retryable `QUOTA_EXCEEDED` */
  admit(tenant: string, bytes: number): Promise<void>;
  readonly hosted: HostedFiles;
  readonly clock: Clock;
  readonly log: Log;
}

export interface Upload {
  readonly name: string;
  readonly contentType: string | undefined;
  /** What the sender says that it is; null where it does not. */
  readonly bytes: number | null;
  readonly source: AsyncIterable<Uint8Array>;
}

/** The task kept changing while a file was recorded. */
const TRIES = 20;

/**
 * Stores a file of an attempt and records it: the bytes first, then the event, so that an event never names bytes
 * that are not there. The same file again is the same artifact.
 * @returns the artifact, and whether it is a new one
 * @throws Rejection `ARTIFACT_TOO_LARGE`, `ARTIFACT_LIMIT`, `ARTIFACT_EXISTS`, `STALE_FENCE`, `TASK_ENDED`,
 *   `TASK_ERASED`; Retryable `QUOTA_EXCEEDED`, `ARTIFACT_STORE_FULL`, `ARTIFACT_STORE_UNAVAILABLE`, `LEDGER_UNAVAILABLE`, `LEDGER_BUSY`
 */
export async function publishArtifact(
  ports: PublishPorts,
  by: Workload,
  upload: Upload,
): Promise<{ readonly artifact: HostedArtifact; readonly isNew: boolean }> {
  const { store, limits, clock, records } = ports;
  if (upload.bytes !== null && upload.bytes > limits.fileBytesMax) throw tooLarge(limits.fileBytesMax);
  // What is refused anyway is refused before its bytes come.
  const first = await records.read(by);
  const isNewName = !isOfAttempt(first, by, upload.name);
  if (isNewName) {
    const file = { name: upload.name, bytes: upload.bytes ?? 0, sha256: "", media_type: "", expires_at: 0 };
    refuseIf(decideArtifact(first.version.state, storing(ports, { by, record: first, file, id: "" })));
    await ports.admit(by.tenant, upload.bytes ?? 1);
  }
  const id = newId(clock.now());
  const object = await store.put(objectName(by, id), upload.source, {
    bytesMax: limits.fileBytesMax,
    now: clock.now,
  });
  if (isNewName && upload.bytes === null) {
    try {
      await ports.admit(by.tenant, object.bytes);
    } catch (error) {
      await dropObject(ports, by, id);
      throw error;
    }
  }
  try {
    const stored = await record(ports, { by, upload, id, object });
    if (stored.isNew) ports.hosted.stored(by.tenant, object.bytes);
    return stored;
  } catch (error) {
    // A refusal is final; after anything else the event may be there, and its bytes must be.
    if (error instanceof Rejection) await dropObject(ports, by, id);
    throw error;
  }
}

async function record(
  ports: PublishPorts,
  of: {
    readonly by: Workload;
    readonly upload: Upload;
    readonly id: string;
    readonly object: { readonly bytes: number; readonly sha256: string };
  },
): Promise<{ readonly artifact: HostedArtifact; readonly isNew: boolean }> {
  const { by, upload, id, object } = of;
  const media_type = mediaTypeOf(upload.contentType, upload.name);
  for (let tries = 0; tries < TRIES; tries++) {
    const before = await ports.records.read(by);
    const expires_at = ports.clock.now() + before.ttlMs;
    const { bytes, sha256 } = object;
    const file = { name: upload.name, bytes, sha256, media_type, expires_at };
    const command = storing(ports, { by, record: before, file, id });
    const { version } = before;
    const done = await ports.ledger.execute(by, command, version, version.seq);
    if (isRefusal(done) && done.code === "PRECONDITION_FAILED") continue;
    refuseIf(done);
    const { hosted } = (await ports.records.read(by)).artifacts;
    const artifact = hosted.get(upload.name) ?? null;
    if (artifact === null) throw expiredAtOnce();
    const isNew = artifact.id === id;
    if (!isNew) await dropObject(ports, by, id);
    const replaced = before.artifacts.hosted.get(upload.name);
    if (isNew && replaced !== undefined) await dropObject(ports, by, replaced.id);
    return { artifact, isNew };
  }
  throw new Retryable("LEDGER_BUSY", `task ${by.task} kept changing while a file was recorded`);
}

/** With a life of a second the file may be gone before its sender has the answer. */
function expiredAtOnce(): Rejection {
  return new Rejection("ARTIFACT_EXPIRED", "The file was stored, and its time was over at once.");
}

function storing(
  ports: PublishPorts,
  of: {
    readonly by: Workload;
    readonly record: ArtifactRecord;
    readonly file: Extract<TaskCommand, { kind: "store_artifact" }>["artifact"];
    readonly id: string;
  },
): Extract<TaskCommand, { kind: "store_artifact" }> {
  const { by, record, file, id } = of;
  const { who } = record.version.state;
  return {
    kind: "store_artifact",
    at: ports.clock.now(),
    id,
    by: { actor: `task:${by.task}`, accountable: who.accountable ?? who.actor, route: "artifacts" },
    fence: by.fence,
    attempt: by.attempt,
    artifact: file,
    hosted: record.artifacts.hosted.get(file.name) ?? null,
    storedByAttempt: record.artifacts.storedBy.get(by.attempt) ?? 0,
    limits: { files: ports.limits.filesMax, bytes: ports.limits.taskBytesMax },
  };
}

function isOfAttempt(record: ArtifactRecord, by: Workload, name: string): boolean {
  return record.artifacts.hosted.get(name)?.attempt === by.attempt;
}

function refuseIf(decided: Refusal | object): void {
  if (!isRefusal(decided)) return;
  const { code, message } = decided;
  if (code === "STATE_BEHIND") throw new Retryable(code, message);
  throw new Rejection(code, `${message.charAt(0).toUpperCase()}${message.slice(1)}.`);
}

/** A failure leaves an object that no event names: the sweep finds it. */
async function dropObject({ store, log }: PublishPorts, key: TaskKey, id: string): Promise<void> {
  await store.remove(objectName(key, id)).catch((error) => {
    log.warn({ error, task: key.task }, "bytes that nothing names are left in the store of artifacts");
  });
}
