import { chmod, lstat, mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { AttemptRef } from "../../../schemas/messages/node.ts";
import { isMissing } from "../syncedFiles.ts";

/** Where a container finds the output of the task before it. */
export const STDIN_TARGET = "/pipe/stdin";

/** The output of tasks before, as files on this machine, one an attempt, from the fetch to the container's end. */
export interface StdinFiles {
  /**
   * Takes it whole or not at all; replaces what is there of the attempt.
   * @param write writes the file at the path that it is given, which is not there
   */
  place<T>(ref: AttemptRef, write: (path: string) => Promise<T>): Promise<T>;
  /** Its path; null where there is none. */
  find(ref: AttemptRef): Promise<string | null>;
  remove(ref: AttemptRef): Promise<void>;
  /** What a life that died has left. */
  removeOthers(here: readonly AttemptRef[]): Promise<void>;
}

/** @param root made when missing; belongs to one node */
export async function openStdinFiles(root: string): Promise<StdinFiles> {
  await mkdir(root, { recursive: true, mode: 0o700 });
  const pathOf = (ref: AttemptRef) => join(root, nameOf(ref));
  const remove = (path: string) => rm(path, { force: true });
  return {
    place: async (ref, write) => {
      const [path, part] = [pathOf(ref), `${pathOf(ref)}.part`];
      await remove(part);
      try {
        const written = await write(part);
        // A container runs as whoever it likes; the folder keeps the host's users out.
        await chmod(part, 0o444);
        await rename(part, path);
        return written;
      } catch (error) {
        await remove(part);
        throw error;
      }
    },
    find: async (ref) => {
      try {
        return (await lstat(pathOf(ref))).isFile() ? pathOf(ref) : null;
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },
    remove: (ref) => remove(pathOf(ref)),
    removeOthers: async (here) => {
      const kept = new Set(here.map(nameOf));
      for (const name of await readdir(root)) if (!kept.has(name)) await remove(join(root, name));
    },
  };
}

function nameOf({ task, attempt }: AttemptRef): string {
  return `${task}-${attempt}`;
}
