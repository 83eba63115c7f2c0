/** What a task's history says of the files that its attempts published. */
import type { StoredArtifact, TaskEventBody } from "./taskEvent.ts";

/** A file that is hosted. */
export interface HostedArtifact extends StoredArtifact {
  /** Id of the event that stored it; its bytes have this name in the store. */
  readonly id: string;
  readonly stored_at: number;
}

/** The artifacts of one task. */
export interface TaskArtifacts {
  /** By name; a later attempt's file has taken the place of an earlier one's. */
  readonly hosted: ReadonlyMap<string, HostedArtifact>;
  /** Names of files that are not hosted any more, and why not. */
  readonly removed: ReadonlyMap<string, string>;
  /** Ids of files whose place another took: their bytes may go. */
  readonly replaced: ReadonlySet<string>;
  /** Files that each attempt has stored, those that are gone counted too. */
  readonly storedBy: ReadonlyMap<number, number>;
}

export const noArtifacts: TaskArtifacts = {
  hosted: new Map(),
  removed: new Map(),
  replaced: new Set(),
  storedBy: new Map(),
};

/** An event as this fold takes it. */
interface ArtifactEvent {
  readonly id: string;
  readonly at: number;
  readonly body: TaskEventBody;
}

/** Folds events of one task, in their order. Pure; other transitions change nothing. */
export function foldArtifacts(before: TaskArtifacts, events: readonly ArtifactEvent[]): TaskArtifacts {
  const relevant = events.filter(
    ({ body }) => body.type === "artifact_stored" || body.type === "artifact_removed",
  );
  if (relevant.length === 0) return before;
  const hosted = new Map(before.hosted);
  const removed = new Map(before.removed);
  const replaced = new Set(before.replaced);
  const storedBy = new Map(before.storedBy);
  for (const { id, at, body } of relevant) {
    if (body.type === "artifact_stored") {
      const { type: _type, fence: _fence, ...artifact } = body;
      const old = hosted.get(artifact.name);
      if (old !== undefined) replaced.add(old.id);
      hosted.set(artifact.name, { ...artifact, id, stored_at: at });
      removed.delete(artifact.name);
      storedBy.set(artifact.attempt, (storedBy.get(artifact.attempt) ?? 0) + 1);
    } else if (body.type === "artifact_removed" && hosted.get(body.name)?.id === body.artifact_id) {
      hosted.delete(body.name);
      removed.set(body.name, body.reason);
    }
  }
  return { hosted, removed, replaced, storedBy };
}
