import { execFile } from "node:child_process";
import { chmod, mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { AttemptRef } from "../../../schemas/messages/node.ts";
import { isMissing } from "../syncedFiles.ts";

/** Where a container finds its folder. */
export const ARTIFACTS_TARGET = "/artifacts";

/** Sticky and for everybody: a container runs as whoever it likes. The folder around it keeps the host's users out. */
const INSIDE_MODE = 0o1777;

/** The folders that containers leave files in, one an attempt. */
export interface ArtifactFolders {
  /** What one of them may hold while its container runs. */
  readonly bytesMax: number;
  /** Makes the folder of an attempt; one that is there stays as it is. @returns the path to mount */
  prepare(ref: AttemptRef): Promise<string>;
  /** Its path; null where there is none. */
  find(ref: AttemptRef): Promise<string | null>;
  remove(ref: AttemptRef): Promise<void>;
  /** Removes those of attempts that are not among `known`. */
  removeOthers(known: readonly AttemptRef[]): Promise<void>;
}

/** @param root made when missing; belongs to one node */
export async function openArtifactFolders(root: string, bytesMax: number): Promise<ArtifactFolders> {
  await mkdir(root, { recursive: true, mode: 0o700 });
  const inside = (ref: AttemptRef) => join(root, nameOf(ref), "files");
  return {
    bytesMax,
    prepare: async (ref) => {
      await mkdir(join(root, nameOf(ref)), { recursive: true, mode: 0o700 });
      await mkdir(inside(ref), { recursive: true });
      // Apart from its making: the process's own mask takes bits away there.
      await chmod(inside(ref), INSIDE_MODE);
      return inside(ref);
    },
    find: async (ref) => {
      try {
        return (await stat(inside(ref))).isDirectory() ? inside(ref) : null;
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },
    remove: (ref) => removeTree(join(root, nameOf(ref))),
    removeOthers: async (known) => {
      const names = new Set(known.map(nameOf));
      for (const name of await readdir(root)) if (!names.has(name)) await removeTree(join(root, name));
    },
  };
}

function nameOf(ref: AttemptRef): string {
  return `${ref.task}-${ref.attempt}`;
}

/** Also where a container made it deeper than the library goes. */
export async function removeTree(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true });
  } catch (error) {
    // A tree may be deeper than a path can be long. The program goes down folder by folder; the library does not.
    if ((error as NodeJS.ErrnoException).code !== "ENAMETOOLONG") throw error;
    await promisify(execFile)("rm", ["-rf", "--", path]);
  }
}
