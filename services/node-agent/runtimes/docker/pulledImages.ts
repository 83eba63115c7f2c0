import { isRefusal } from "../../../domain/refusal.ts";
import { parseImageReference } from "../../../domain/spec/imageReference.ts";
import { readIfThere, writeWhole } from "../../syncedFiles.ts";

/** A name that this node pulled and that was not on it before. */
export interface PulledImage {
  readonly ref: string;
  /** Milliseconds since 1970: when an attempt last asked for it. */
  readonly usedAt: number;
}

/**
 * The images that are this node's to remove, and those that an attempt is about to start.
 *
 * INV-HELD-BEFORE-RESOLVED: an attempt holds its image before it looks whether it is there, and until it can start no more;
 * what is held is not removed, and who holds what is being removed waits for the end of that.
 */
export interface PulledImages {
  has(ref: string): boolean;
  all(): readonly PulledImage[];
  /** On the disk before it resolves. */
  add(refs: readonly string[]): Promise<void>;
  /** They are somebody's from now on, or gone. */
  forget(refs: readonly string[]): Promise<void>;
  /**
   * Holds images by any of their names.
   * @param untilMs on the monotonic clock
   */
  hold(names: readonly string[], untilMs: number): Promise<void>;
  /** Does the removal unless one of the names is held. @returns whether it was done */
  removeUnlessHeld(names: readonly string[], remove: () => Promise<void>): Promise<boolean>;
  /** Brings times of use to the disk; losing the last ones costs an image at most. */
  save(): Promise<void>;
}

/** Kept in a file, over restarts; what is held is not, for a new life resolves anew. */
export async function openPulledImages(
  file: string,
  clock: { now(): number; monotonicMs(): number },
): Promise<PulledImages> {
  const used = new Map(
    Object.entries(JSON.parse((await readIfThere(file)) ?? "{}") as Record<string, number>),
  );
  const held = new Map<string, number>();
  let removing: { readonly names: ReadonlySet<string>; readonly done: Promise<void> } | null = null;
  let saved = true;
  let writing: Promise<void> = Promise.resolve();
  const write = () => {
    saved = true;
    writing = writing
      .catch(() => undefined)
      .then(() => writeWhole(file, JSON.stringify(Object.fromEntries(used))));
    return writing;
  };
  const letGo = () => {
    for (const [name, untilMs] of held) if (untilMs < clock.monotonicMs()) held.delete(name);
  };
  return {
    has: (ref) => used.has(canonicalName(ref)),
    all: () => [...used].map(([ref, usedAt]) => ({ ref, usedAt })),
    add: async (refs) => {
      const names = refs.map(canonicalName);
      const areNew = names.some((name) => !used.has(name));
      for (const name of names) used.set(name, clock.now());
      saved = false;
      if (areNew) await write();
    },
    forget: async (refs) => {
      const known = refs.filter((ref) => used.delete(canonicalName(ref)));
      if (known.length > 0) await write();
    },
    hold: async (given, untilMs) => {
      const names = given.map(canonicalName);
      for (const name of names) {
        held.set(name, Math.max(untilMs, held.get(name) ?? 0));
        if (!used.has(name)) continue;
        used.set(name, clock.now());
        saved = false;
      }
      while (removing !== null && names.some((name) => removing!.names.has(name))) await removing.done;
    },
    removeUnlessHeld: async (given, remove) => {
      letGo();
      const names = new Set(given.map(canonicalName));
      if (removing !== null || [...names].some((name) => held.has(name))) return false;
      // From here on nothing is awaited before the removal is known to whoever comes to hold.
      const done = remove();
      removing = { names, done: done.catch(() => undefined) };
      try {
        await done;
      } finally {
        removing = null;
      }
      return true;
    },
    save: async () => {
      letGo();
      if (!saved) await write();
    },
  };
}

/** One form for what the engine and specs write differently; an id is its own. */
export function canonicalName(text: string): string {
  if (text.startsWith("sha256:")) return text;
  const reference = parseImageReference(text);
  if (isRefusal(reference)) return text;
  const { registry, repository, tag, digest } = reference;
  const isHub = registry === null || registry === "docker.io" || registry === "index.docker.io";
  const name = isHub ? repository.replace(/^library\//, "") : `${registry}/${repository}`;
  return digest === null ? `${name}:${tag}` : `${name}@${digest}`;
}
