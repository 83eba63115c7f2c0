/**
 * A lock that is a file. Its holder is named by pid and start time, so that a lock left by a kill -9, or one
 * whose pid now belongs to somebody else, is taken over and a living holder never is.
 */
import { randomUUID } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { identityOf, isAlive } from "./processIdentity.mjs";

const pollMs = 50;

/**
 * Tries once.
 * @param {string} path
 * @returns {{ release: () => void } | { heldBy: import("./processIdentity.mjs").ProcessIdentity }}
 */
export function tryLock(path) {
  mkdirSync(dirname(path), { recursive: true });
  const me = identityOf(process.pid);
  if (me === null) throw new Error("this process cannot read its own start time");
  const nonce = randomUUID();
  const mine = `${path}.${nonce}`;
  try {
    writeFileSync(mine, JSON.stringify({ ...me, nonce }), { mode: 0o600 });
    for (;;) {
      if (linked(mine, path)) return { release: () => release(path, nonce) };
      const holder = readHolder(path);
      if (holder === null) continue;
      if (isAlive(holder)) return { heldBy: { pid: holder.pid, started: holder.started } };
      removeStale(path, holder.nonce);
    }
  } finally {
    rmSync(mine, { force: true });
  }
}

/**
 * Waits for the lock.
 * @param {string} path
 * @param {{ waitMs: number }} options
 * @returns {Promise<{ release: () => void }>}
 */
export async function waitForLock(path, { waitMs }) {
  const deadline = performance.now() + waitMs;
  for (;;) {
    const outcome = tryLock(path);
    if ("release" in outcome) return outcome;
    if (performance.now() > deadline) {
      throw new Error(`${path} is still held by process ${outcome.heldBy.pid} after ${waitMs / 1000} s`);
    }
    await pause(pollMs);
  }
}

/**
 * @param {string} from
 * @param {string} to
 */
function linked(from, to) {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === "EEXIST") return false;
    throw error;
  }
}

/**
 * @param {string} path
 * @returns {{ pid: number, started: string, nonce: string } | null} null when it went away meanwhile
 */
function readHolder(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === "ENOENT") return null;
    // A torn file can only be left by a crash of the machine: the file is written whole before it is linked.
    return { pid: 0, started: "", nonce: "" };
  }
}

/**
 * Moves the stale file aside, and puts it back if another process renewed it between reading and moving.
 * @param {string} path
 * @param {string} staleNonce
 */
function removeStale(path, staleNonce) {
  const aside = `${path}.stale.${randomUUID()}`;
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  const moved = readHolder(aside);
  if (moved !== null && moved.nonce !== staleNonce) linked(aside, path);
  rmSync(aside, { force: true });
}

/**
 * @param {string} path
 * @param {string} nonce
 */
function release(path, nonce) {
  if (readHolder(path)?.nonce === nonce) rmSync(path, { force: true });
}
