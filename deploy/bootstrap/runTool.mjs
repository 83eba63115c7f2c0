/** Sets up what a tool of `test/` needs, builds, and runs it: what `npm run bench` and `npm run chaos` have in common. */
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ensureBuild } from "../build.mjs";
import { withBootstrapLock } from "./bootstrapLock.mjs";
import { ensureDependencies } from "./dependencies.mjs";
import { ensureSystemParts } from "./ensureSystemParts.mjs";
import { requireNode } from "./nodeVersion.mjs";
import { fail } from "./speak.mjs";

/**
 * @param {string} root
 * @param {object} tool
 * @param {string} tool.main file to run, from the root
 * @param {readonly import("./systemParts.mjs").SystemPart[]} tool.parts
 */
export async function runTool(root, { main, parts }) {
  try {
    requireNode(process.versions.node);
    // Settings of a running Cazi must not reach the one that is looked at; the engine is shared.
    const dropped = /^(CAZI_.*|NATS_URL|NATS_CREDS|DATABASE_URL)$/;
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !dropped.test(name)));
    await withBootstrapLock(root, async () => {
      await ensureDependencies(root);
      await ensureBuild(root);
    });
    await ensureSystemParts(parts, env);
    process.exitCode = await run(join(root, main), env);
  } catch (error) {
    fail(error);
  }
}

/**
 * @param {string} main
 * @param {Record<string, string | undefined>} env
 * @returns {Promise<number>} exit code
 */
function run(main, env) {
  const loader = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;
  const child = spawn(process.execPath, ["--import", loader, main, ...process.argv.slice(2)], {
    cwd: process.cwd(),
    env,
    stdio: ["ignore", "inherit", "inherit"],
  });
  // The terminal's own Ctrl-C reaches the child as well; it takes what it started along.
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) {
    process.on(signal, () => child.kill(signal));
  }
  return new Promise((resolve) => {
    child.once("error", () => resolve(127));
    child.once("exit", (code) => resolve(code ?? 1));
  });
}
