/** node_modules as the lock file says. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runQuietly } from "./runQuietly.mjs";
import { BootstrapError, say } from "./speak.mjs";

/** Inside node_modules, so that whoever removes that folder removes the mark as well. */
const markName = ".cazi-lock-hash";

/** @param {string} root */
export function dependenciesAreCurrent(root) {
  const mark = join(root, "node_modules", markName);
  return existsSync(mark) && readFileSync(mark, "utf8") === lockHash(root);
}

/**
 * Runs `npm ci` when node_modules is missing or is not what the lock file says.
 * @param {string} root
 */
export async function ensureDependencies(root) {
  if (dependenciesAreCurrent(root)) return;
  if (!installedAsLocked(root)) {
    const missing = !existsSync(join(root, "node_modules"));
    say(
      `Installing the npm packages, because ${missing ? "node_modules is missing" : "package-lock.json changed"}`,
    );
    await npmCi(root);
  }
  writeFileSync(join(root, "node_modules", markName), lockHash(root));
}

/** @param {string} root */
async function npmCi(root) {
  // Under `npm start` this names the very npm that runs; its JavaScript needs no shell.
  const npm = process.env.npm_execpath;
  const args = ["ci", "--include=dev", "--no-audit", "--no-fund"];
  const { code, tail } = npm?.endsWith("js")
    ? await runQuietly(process.execPath, [npm, ...args], { cwd: root })
    : await runQuietly("npm", args, { cwd: root });
  if (code === 0) return;
  throw new BootstrapError(`npm ci failed; is the package registry reachable? It said:\n${tail}`);
}

/**
 * True when npm's own record of what is installed agrees with the lock file, whoever installed it.
 * @param {string} root
 */
function installedAsLocked(root) {
  try {
    const wanted = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")).packages;
    const present = JSON.parse(
      readFileSync(join(root, "node_modules", ".package-lock.json"), "utf8"),
    ).packages;
    return Object.entries(wanted).every(([path, one]) => {
      if (path === "") return true;
      const found = present[path];
      return found === undefined ? one.optional === true : found.version === one.version;
    });
  } catch {
    return false;
  }
}

/** @param {string} root */
function lockHash(root) {
  return createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .digest("hex");
}
