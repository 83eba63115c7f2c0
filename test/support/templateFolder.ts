import { cpSync, existsSync, lstatSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { waitForLock } from "../../deploy/bootstrap/fileLock.mjs";

const buildWaitMs = 180_000;

/**
 * A database cluster is slow to make and quick to copy: the first test that needs one makes it, all later ones,
 * also of later runs, copy it.
 * @param name names kind and version of what `build` makes
 * @param build fills the folder it is given, which is renamed into place when it is complete
 */
export async function templateFolder(
  name: string,
  build: (folder: string) => Promise<void>,
): Promise<string> {
  const root = process.env.TEST_TEMPLATES ?? join(tmpdir(), `cazi-test-templates-${userInfo().uid}`);
  // Entered by the database's own user as well, but written by this one alone.
  mkdirSync(root, { recursive: true, mode: 0o711 });
  const stat = lstatSync(root);
  if (!stat.isDirectory() || stat.uid !== userInfo().uid || (stat.mode & 0o022) !== 0) {
    throw new Error(`${root} must be a folder that only this user can write; remove it`);
  }
  const folder = join(root, name);
  if (existsSync(folder)) return folder;
  const lock = await waitForLock(`${folder}.lock`, { waitMs: buildWaitMs });
  try {
    if (existsSync(folder)) return folder;
    const partial = `${folder}.partial`;
    rmSync(partial, { recursive: true, force: true });
    await build(partial);
    renameSync(partial, folder);
    return folder;
  } finally {
    lock.release();
  }
}

export function copyFolder(from: string, to: string): void {
  cpSync(from, to, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
}
