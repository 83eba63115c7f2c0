import { constants } from "node:fs";
import { type FileHandle, lstat, open, readdir } from "node:fs/promises";

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;
const BLOCK_BYTES = 512;

/** What a folder may grow to while its container runs. */
export interface FolderLimits {
  readonly bytes: number;
  /** Files, folders and all else: each takes an inode and a name of the disk's, however empty. */
  readonly entries: number;
  /** Folders in one another; a measure holds one open for each. */
  readonly depth: number;
}

interface Measure {
  bytes: number;
  entries: number;
}

/**
 * What a container keeps on the disk below its folder, measured until it is too much. Counted is what is taken up, so
 * that a file with holes weighs what it holds, and one with two names half at each. Links are not followed. What changes
 * meanwhile is measured the next time; a file that is open and has no name any more is not seen.
 * @returns which limit is passed, as a sentence; null when none is
 */
export async function measureFolder(path: string, limits: FolderLimits): Promise<string | null> {
  const root = await open(path, O_RDONLY | O_NOFOLLOW | O_DIRECTORY);
  try {
    return await below(root, { measure: { bytes: 0, entries: 0 }, limits, depth: 0 });
  } finally {
    await root.close();
  }
}

async function below(
  folder: FileHandle,
  of: { readonly measure: Measure; readonly limits: FolderLimits; readonly depth: number },
): Promise<string | null> {
  const { measure, limits, depth } = of;
  if (depth > limits.depth) return `/artifacts has folders more than ${limits.depth} deep`;
  const here = Buffer.from(`/proc/self/fd/${folder.fd}/`);
  // As bytes: a name need not be text.
  for (const name of await readdir(here, { encoding: "buffer" })) {
    if (++measure.entries > limits.entries) return `/artifacts holds more than ${limits.entries} files`;
    const path = Buffer.concat([here, name]);
    const seen = await unlessGone(() => lstat(path));
    if (seen === null) continue;
    measure.bytes += (seen.blocks * BLOCK_BYTES) / (seen.isDirectory() ? 1 : seen.nlink);
    if (measure.bytes > limits.bytes) return `/artifacts holds more than ${limits.bytes} bytes`;
    if (!seen.isDirectory()) continue;
    const inner = await unlessGone(() => open(path, O_RDONLY | O_NOFOLLOW | O_DIRECTORY));
    if (inner === null) continue;
    try {
      const over = await below(inner, { measure, limits, depth: depth + 1 });
      if (over !== null) return over;
    } finally {
      await inner.close();
    }
  }
  return null;
}

/** Null for what the container removed or replaced meanwhile, or shut against an agent that is not root. */
async function unlessGone<T>(look: () => Promise<T>): Promise<T | null> {
  try {
    return await look();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR" || code === "ELOOP" || code === "EACCES") return null;
    throw error;
  }
}
