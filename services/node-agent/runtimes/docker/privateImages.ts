import { isRefusal } from "../../../domain/refusal.ts";
import { parseImageReference } from "../../../domain/spec/imageReference.ts";
import { readIfThere, writeWhole } from "../../syncedFiles.ts";

/**
 * Which repositories gave images to this engine by credentials. An image of such a repository is never used without asking
 * its registry, with the credentials of the very task that wants it: that another project pulled it here gives nobody a
 * right to it. A repository that gives its images to anybody is public, and so is what an operator loaded or tagged.
 *
 * INV-MARKED-BEFORE-PULLED: a repository is marked, on the disk, before a pull of it with credentials begins.
 */
export interface PrivateImages {
  has(ref: string): boolean;
  /** A pull with credentials of this reference begins. */
  begins(ref: string): Promise<void>;
  /** A pull of it without credentials ended well. */
  isPublic(ref: string): Promise<void>;
}

/** Kept in a file, over restarts. */
export async function openPrivateImages(file: string): Promise<PrivateImages> {
  const marks = new Set(JSON.parse((await readIfThere(file)) ?? "[]") as string[]);
  let writing: Promise<void> = Promise.resolve();
  const write = () => {
    writing = writing.catch(() => undefined).then(() => writeWhole(file, JSON.stringify([...marks])));
    return writing;
  };
  return {
    has: (ref) => marks.has(repositoryOf(ref)),
    begins: async (ref) => {
      if (marks.has(repositoryOf(ref))) return writing;
      marks.add(repositoryOf(ref));
      await write();
    },
    isPublic: async (ref) => {
      if (marks.delete(repositoryOf(ref))) await write();
    },
  };
}

function repositoryOf(ref: string): string {
  const reference = parseImageReference(ref);
  return isRefusal(reference) ? ref : `${reference.registry ?? "docker.io"}/${reference.repository}`;
}
