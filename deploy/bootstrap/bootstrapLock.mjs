import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { waitForLock } from "./fileLock.mjs";

const otherBootstrapMsMax = 900_000;

/**
 * One at a time in one tree: `npm start` and `npm test` may meet in a fresh clone. The lock is not in the tree:
 * npm ci removes node_modules, and a clean clone stays clean.
 * @param {string} root
 * @param {() => Promise<void>} work
 */
export async function withBootstrapLock(root, work) {
  const folder = join(tmpdir(), `cazi-bootstrap-${process.getuid?.() ?? 0}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, createHash("sha256").update(root).digest("hex").slice(0, 16));
  const lock = await waitForLock(path, { waitMs: otherBootstrapMsMax });
  try {
    await work();
  } finally {
    lock.release();
  }
}
