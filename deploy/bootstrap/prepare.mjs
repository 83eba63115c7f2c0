/** All that has to be there before the first line of Cazi itself can run. Does nothing, quickly, the second time. */
import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildIsCurrent, ensureBuild } from "../build.mjs";
import { dependenciesAreCurrent, ensureDependencies } from "./dependencies.mjs";
import { ensureSystemParts } from "./ensureSystemParts.mjs";
import { waitForLock } from "./fileLock.mjs";

const otherBootstrapMsMax = 900_000;

/**
 * @param {string} root
 * @param {readonly import("./systemParts.mjs").SystemPart[]} parts
 * @param {Record<string, string | undefined>} env
 */
export async function prepare(root, parts, env) {
  if (!dependenciesAreCurrent(root) || !buildIsCurrent(root)) {
    // `npm start` and `npm test` may meet here in a fresh clone.
    const lock = await waitForLock(lockPath(root), { waitMs: otherBootstrapMsMax });
    try {
      await ensureDependencies(root);
      await ensureBuild(root);
    } finally {
      lock.release();
    }
  }
  await ensureSystemParts(parts, env);
}

/**
 * Not in the tree: npm ci removes node_modules, and a clean clone stays clean.
 * @param {string} root
 */
function lockPath(root) {
  const folder = join(tmpdir(), `cazi-bootstrap-${process.getuid?.() ?? 0}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return join(folder, createHash("sha256").update(root).digest("hex").slice(0, 16));
}
