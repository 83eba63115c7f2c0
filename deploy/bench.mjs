/**
 * `npm run bench`: sets up what the benches need, builds, and runs them. Arguments go to them; see
 * test/bench/README.md. A running `npm start` is not touched, but it takes its share of the cores.
 */
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { withBootstrapLock } from "./bootstrap/bootstrapLock.mjs";
import { ensureDependencies } from "./bootstrap/dependencies.mjs";
import { ensureSystemParts } from "./bootstrap/ensureSystemParts.mjs";
import { requireNode } from "./bootstrap/nodeVersion.mjs";
import { fail } from "./bootstrap/speak.mjs";
import {
  dockerEngine,
  nativePostgres,
  natsServer,
  redisServer,
  staticBusybox,
} from "./bootstrap/systemParts.mjs";
import { ensureBuild } from "./build.mjs";

const root = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "");
try {
  requireNode(process.versions.node);
  // Settings of a running Cazi must not reach the one that is measured; the engine is shared.
  const dropped = /^(CAZI_.*|NATS_URL|NATS_CREDS|DATABASE_URL)$/;
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !dropped.test(name)));
  await withBootstrapLock(root, async () => {
    await ensureDependencies(root);
    await ensureBuild(root);
  });
  const named = process.argv.includes("peers") ? [redisServer] : [];
  await ensureSystemParts([natsServer, dockerEngine, staticBusybox, nativePostgres, ...named], env);
  process.exitCode = await runBenches(env);
} catch (error) {
  fail(error);
}

/**
 * @param {Record<string, string | undefined>} env
 * @returns {Promise<number>} exit code
 */
function runBenches(env) {
  const loader = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;
  const main = join(root, "test", "bench", "main.ts");
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
