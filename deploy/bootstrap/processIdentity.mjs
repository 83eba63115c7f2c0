/**
 * Who a pid is. A pid alone is no proof: after a kill -9 the number goes to another process, so what is written
 * down is the pid together with the moment that process began.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/**
 * @typedef {object} ProcessIdentity
 * @property {number} pid
 * @property {string} started opaque; equal only for the same process
 */

/**
 * The identity of a live process.
 * @param {number} pid
 * @returns {ProcessIdentity | null} null when there is none (a zombie counts as none)
 */
export function identityOf(pid) {
  const started = process.platform === "linux" ? startedOnLinux(pid) : startedElsewhere(pid);
  return started === null ? null : { pid, started };
}

/**
 * True while the very process that was written down still lives.
 * @param {ProcessIdentity} identity
 */
export function isAlive(identity) {
  return identityOf(identity.pid)?.started === identity.started;
}

/** @param {number} pid */
function startedOnLinux(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The command, in parentheses, may itself hold spaces and parentheses: count from the last one.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (fields[0] === "Z" || fields[0] === "X") return null;
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return `${boot}.${fields[19]}`;
  } catch {
    return null;
  }
}

/** @param {number} pid */
function startedElsewhere(pid) {
  try {
    return execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" }).trim() || null;
  } catch {
    return null;
  }
}
