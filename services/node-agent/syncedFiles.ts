import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

/** Makes the names in a folder last through a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** True for the error of a file that is not there. */
export function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "ENOENT";
}

/** Null where there is no such file. */
export async function readIfThere(file: string): Promise<string | null> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Replaces a file, of this user alone: a reader sees the old or the new, also after a power cut. What fails leaves nothing. */
export async function writeWhole(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const handle = await open(`${file}.tmp`, "w", 0o600);
  try {
    await handle.writeFile(text);
    await handle.datasync();
  } catch (error) {
    await rm(`${file}.tmp`, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
  await rename(`${file}.tmp`, file);
  await syncFolder(dirname(file));
}
