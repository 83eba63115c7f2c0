/** Installs what the machine lacks, where it may; says what to do where it may not. */
import { existsSync } from "node:fs";
import { runQuietly } from "./runQuietly.mjs";
import { BootstrapError, say } from "./speak.mjs";

const options = ["-y", "--no-install-recommends", "-o", "DPkg::Lock::Timeout=300", "-o", "Dpkg::Use-Pty=0"];

/**
 * @param {readonly import("./systemParts.mjs").SystemPart[]} parts
 * @param {Record<string, string | undefined>} env
 * @throws BootstrapError when a required part is missing and may not be installed
 */
export async function ensureSystemParts(parts, env) {
  const missing = await missingParts(parts, env);
  if (missing.length === 0) return;
  if (mayInstall()) await install(missing, env);
  const still = await missingParts(missing, env);
  for (const part of still) process.stderr.write(`${advice(part, process.platform, existsSync(aptGet))}\n`);
  if (still.some((part) => part.required)) throw new BootstrapError("Cazi cannot start without it.");
}

/**
 * One sentence: what is missing, what for, and the command that helps here.
 * @param {import("./systemParts.mjs").SystemPart} part
 * @param {string} platform as in `process.platform`
 * @param {boolean} hasApt
 */
export function advice(part, platform, hasApt) {
  const remedy =
    platform === "linux" && hasApt
      ? `run \`sudo apt-get install ${part.packages.join(" ")}\``
      : part.elsewhere;
  return `Missing: ${part.name}, which ${part.purpose}; ${remedy}.`;
}

const aptGet = "/usr/bin/apt-get";

function mayInstall() {
  return process.platform === "linux" && process.getuid?.() === 0 && existsSync(aptGet);
}

/**
 * @param {readonly import("./systemParts.mjs").SystemPart[]} parts
 * @param {Record<string, string | undefined>} env
 */
async function missingParts(parts, env) {
  const present = await Promise.all(parts.map((part) => part.isPresent(env)));
  return parts.filter((_, at) => !present[at]);
}

/**
 * @param {readonly import("./systemParts.mjs").SystemPart[]} parts
 * @param {Record<string, string | undefined>} env
 */
async function install(parts, env) {
  for (const part of parts) {
    part.beforeInstall?.();
    say(`Installing ${part.packages.join(", ")} with apt-get: ${part.name} ${part.purpose}`);
  }
  const quiet = {
    env: { ...env, DEBIAN_FRONTEND: "noninteractive", NEEDRESTART_MODE: "l", UCF_FORCE_CONFFOLD: "1" },
  };
  const packages = parts.flatMap((part) => part.packages);
  const first = await runQuietly(aptGet, ["install", ...options, ...packages], quiet);
  if (first.code === 0) return;
  // A fresh machine has no package lists, an old one has stale ones.
  await runQuietly(aptGet, ["update", "-o", "DPkg::Lock::Timeout=300"], quiet);
  for (const part of parts) {
    const { code, tail } = await runQuietly(aptGet, ["install", ...options, ...part.packages], quiet);
    if (code !== 0) process.stderr.write(`apt-get could not install ${part.name}: ${lastLine(tail)}\n`);
  }
}

/** @param {string} text */
function lastLine(text) {
  return text.split("\n").at(-1) ?? "";
}
