import { isRefusal } from "../../domain/refusal.ts";
import { type ArtifactStore, parseObjectName } from "../../kernel/artifacts/artifactStore.ts";
import type { Clock } from "../../kernel/clock.ts";
import { CaziError } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import type { TaskKey, TaskLedger } from "../../kernel/ledger/taskLedger.ts";
import type { Log } from "../../kernel/log.ts";
import type { ArtifactRecord, ArtifactRecords } from "./artifactRecords.ts";
import type { HostedFiles } from "./hostedFiles.ts";
import { expirySweepMs, orphanSweepMs, unnamedAgeMs } from "./limits.ts";

export interface ExpiryPorts {
  readonly ledger: Pick<TaskLedger, "execute">;
  readonly records: ArtifactRecords;
  readonly store: ArtifactStore;
  /** Told of all that there is, at each look. */
  readonly hosted?: HostedFiles;
  readonly clock: Clock;
  readonly log: Log;
}

/** When each object is to be looked at again, by name: an answer from the ledger for each would be one each minute. */
type LookAgain = Map<string, number>;

const SYSTEM = { actor: "system:artifacts", accountable: null, route: "expiry" } as const;

/**
 * Removes files whose time is over, and bytes that nothing names, for as long as the process lives. Any number of
 * processes may do it: the ledger's compare-and-set decides who says it, and removing twice is removing once.
 * @returns how to stop
 */
export function expireArtifacts(ports: ExpiryPorts): () => Promise<void> {
  const { clock, store, log } = ports;
  const lookAgain: LookAgain = new Map();
  let orphansAt = 0;
  let ended = false;
  let wake: () => void = () => undefined;
  const running = (async () => {
    while (!ended) {
      try {
        await sweepArtifacts(ports, lookAgain, () => ended);
        if (clock.now() - orphansAt >= orphanSweepMs) {
          orphansAt = clock.now();
          await store.removeOrphans(orphansAt);
        }
      } catch (error) {
        log.warn({ error }, "artifacts could not be looked through; trying again");
      }
      if (ended) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
        setTimeout(resolve, expirySweepMs).unref();
      });
    }
  })();
  return async () => {
    ended = true;
    wake();
    await running;
  };
}

/** One look at every object that is due for one. @returns how many were removed */
export async function sweepArtifacts(
  ports: ExpiryPorts,
  lookAgain: LookAgain = new Map(),
  ended: () => boolean = () => false,
): Promise<number> {
  const objects = await ports.store.list();
  ports.hosted?.look(objects);
  const names = new Set(objects.map((one) => one.name));
  for (const name of lookAgain.keys()) if (!names.has(name)) lookAgain.delete(name);
  let removed = 0;
  for (const object of objects) {
    if (ended()) break;
    const now = ports.clock.now();
    const parts = parseObjectName(object.name);
    if (parts === null || (lookAgain.get(object.name) ?? 0) > now) continue;
    const next = await judge(ports, parts, object.stored_at);
    if (next === "remove") {
      await ports.store.remove(object.name);
      removed++;
    } else lookAgain.set(object.name, next);
  }
  return removed;
}

/**
 * What is to become of an object: it stays until a time, or it goes, which is in the ledger then.
 */
async function judge(
  ports: ExpiryPorts,
  { tenant, task, event }: TaskKey & { readonly event: string },
  storedAt: number,
): Promise<"remove" | number> {
  const key = { tenant, task };
  const now = ports.clock.now();
  const record = await recordOf(ports, key);
  const artifact = record && [...record.artifacts.hosted.values()].find((one) => one.id === event);
  if (!record || !artifact) return now - storedAt >= unnamedAgeMs ? "remove" : storedAt + unnamedAgeMs;
  if (artifact.expires_at > now) return artifact.expires_at;
  const done = await ports.ledger.execute(
    key,
    { kind: "remove_artifact", at: now, id: newId(now), by: SYSTEM, artifact, reason: "expired" },
    record.version,
    record.version.seq,
  );
  // The task has moved on meanwhile: the next sweep decides anew.
  return isRefusal(done) ? now : "remove";
}

/** Null where there is no such task any more: what it published is nobody's. */
async function recordOf({ records }: ExpiryPorts, key: TaskKey): Promise<ArtifactRecord | null> {
  try {
    return await records.read(key);
  } catch (error) {
    if (error instanceof CaziError && (error.code === "TASK_NOT_FOUND" || error.code === "TASK_ERASED"))
      return null;
    throw error;
  }
}
