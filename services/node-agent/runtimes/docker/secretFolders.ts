import { createHash } from "node:crypto";
import { chmod, lstat, mkdir, readdir, rm, rmdir, statfs, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { AttemptRef } from "../../../../schemas/messages/node.ts";

/**
 * The files of connections on this machine, a folder an attempt, from its container's making to its end. The root is this
 * user's alone; below it everything may be read, because a container may run as any user.
 */
export interface SecretFolders {
  /**
   * Writes the files, replacing what is there of the attempt.
   * @param files content as base64, by path
   * @returns the folder to mount
   */
  place(ref: AttemptRef, files: Readonly<Record<string, string>>): Promise<string>;
  remove(ref: AttemptRef): Promise<void>;
  /** What a life that died has left. */
  removeOthers(here: readonly AttemptRef[]): Promise<void>;
}

/** @param root there only while it holds something */
export async function openSecretFolders(root: string): Promise<SecretFolders> {
  const folderOf = (ref: AttemptRef) => join(root, nameOf(ref));
  const remove = async (folder: string) => {
    await rm(folder, { recursive: true, force: true });
    // Not empty while another attempt has files.
    await rmdir(root).catch(() => undefined);
  };
  return {
    place: async (ref, files) => {
      const folder = folderOf(ref);
      await remove(folder);
      if (!(await isOwnFolder(root))) throw new Error(`${root} is not this user's alone`);
      await makeReadable(folder);
      for (const [path, content] of Object.entries(files)) {
        const file = join(folder, path);
        await makeReadable(dirname(file));
        await writeFile(file, Buffer.from(content, "base64"), { mode: 0o444, flag: "wx" });
        await chmod(file, 0o444);
      }
      return folder;
    },
    remove: (ref) => remove(folderOf(ref)),
    removeOthers: async (here) => {
      const kept = new Set(here.map(nameOf));
      const left = (await readdir(root).catch(() => [])).filter((name) => !kept.has(name));
      for (const name of left) await remove(join(root, name));
      await rmdir(root).catch(() => undefined);
    },
  };
}

function nameOf({ task, attempt }: AttemptRef): string {
  return `${task}-${attempt}`;
}

/** Whatever the process's mask is. A path has few parts, and those above are there already. */
async function makeReadable(folder: string): Promise<void> {
  const made = await mkdir(folder, { recursive: true });
  for (let at = folder; made !== undefined && at.length >= made.length; at = dirname(at))
    await chmod(at, 0o755);
}

const MEMORY = "/dev/shm";
const TMPFS = 0x01021994;

/**
 * Where the folders are: in memory where this machine has such a place and it can be this user's alone, else below
 * `folder` on the disk.
 */
export async function secretsRoot(folder: string): Promise<string> {
  const [inMemory, onDisk] = secretsRoots(folder);
  try {
    if ((await statfs(MEMORY)).type !== TMPFS) return onDisk;
    return (await isOwnFolder(inMemory)) ? inMemory : onDisk;
  } catch {
    return onDisk;
  }
}

/** All places where they may be, the better first. Touches nothing. */
export function secretsRoots(folder: string): readonly [inMemory: string, onDisk: string] {
  const name = createHash("sha256").update(folder).digest("hex").slice(0, 16);
  return [join(MEMORY, `cazi-${name}`), join(folder, "secrets")];
}

/** Makes it where it is missing. In a place for everybody, one that was there before us may be somebody else's. */
async function isOwnFolder(path: string): Promise<boolean> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  const { uid, mode } = await lstat(path);
  return uid === process.getuid?.() && (mode & 0o170777) === 0o040700;
}
