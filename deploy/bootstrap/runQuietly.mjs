import { spawn } from "node:child_process";

const tailBytesMax = 4_096;

/**
 * Runs a program without showing what it prints.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: Record<string, string | undefined> }} [options]
 * @returns {Promise<{ code: number, tail: string }>} exit code (127 when it cannot be started) and the last lines
 */
export function runQuietly(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
    let tail = "";
    const keep = (/** @type {Buffer} */ chunk) => {
      tail = (tail + chunk).slice(-tailBytesMax);
    };
    child.stdout.on("data", keep);
    child.stderr.on("data", keep);
    child.once("error", (error) => resolve({ code: 127, tail: error.message }));
    child.once("close", (code) => resolve({ code: code ?? 1, tail: tail.trim() }));
  });
}
