/**
 * `npm test`: sets up what the tests need, runs the checks and all tests, and ends with one line of counts.
 * Everything it starts has its own ports and folders: a running `npm start` is not touched. Arguments go to
 * vitest, and leave out the checks.
 */
import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { withBootstrapLock } from "./bootstrap/bootstrapLock.mjs";
import { ensureDependencies } from "./bootstrap/dependencies.mjs";
import { ensureSystemParts } from "./bootstrap/ensureSystemParts.mjs";
import { requireNode } from "./bootstrap/nodeVersion.mjs";
import { runQuietly } from "./bootstrap/runQuietly.mjs";
import { fail, say } from "./bootstrap/speak.mjs";
import {
  dockerEngine,
  imageRegistry,
  nativePostgres,
  natsServer,
  networkTools,
  openSsl,
  staticBusybox,
} from "./bootstrap/systemParts.mjs";
import { countsOf, summaryLine } from "./bootstrap/testCounts.mjs";
import { ensureBuild } from "./build.mjs";

const root = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "");
/** Its stdin closes with this process, whatever ends it; then the tests end as well. */
const guard = 'exec 3<&0; ( read -r _ <&3; kill -KILL $$ ) >/dev/null 2>&1 & exec "$@" 3<&- </dev/null';
const checks = [
  { name: "types", program: "node_modules/typescript/bin/tsc", args: ["--noEmit"] },
  { name: "lint and format", program: "node_modules/@biomejs/biome/bin/biome", args: ["check", "."] },
];

try {
  requireNode(process.versions.node);
  const env = testEnvironment(process.env);
  await withBootstrapLock(root, () => ensureDependencies(root));
  const parts = [
    natsServer,
    dockerEngine,
    staticBusybox,
    nativePostgres,
    imageRegistry,
    openSsl,
    networkTools,
  ];
  await ensureSystemParts(parts, env);
  process.exitCode = await runAll(env, process.argv.slice(2));
} catch (error) {
  fail(error);
}

/**
 * Settings of a running Cazi must not reach the tests; the engine is shared.
 * @param {Record<string, string | undefined>} given
 */
function testEnvironment(given) {
  const dropped = /^(CAZI_.*|NATS_URL|NATS_CREDS|DATABASE_URL)$/;
  return Object.fromEntries(Object.entries(given).filter(([name]) => !dropped.test(name)));
}

/**
 * @param {Record<string, string | undefined>} env
 * @param {readonly string[]} vitestArgs
 */
async function runAll(env, vitestArgs) {
  const folder = mkdtempSync(join(tmpdir(), "cazi-test-run-"));
  // The native Postgres runs as a user of its own, and must get through.
  chmodSync(folder, 0o711);
  try {
    const failedChecks = vitestArgs.length > 0 ? Number(!(await isBuilt())) : await runChecks();
    const report = join(folder, "report.json");
    const code = await runVitest(report, folder, env, vitestArgs);
    const counts = countsOf(readReport(report), code, failedChecks);
    say(summaryLine(counts));
    return counts.failed > 0 ? 1 : 0;
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

async function isBuilt() {
  try {
    await withBootstrapLock(root, () => ensureBuild(root));
    return true;
  } catch (error) {
    say(`check build: FAILED\n${/** @type {Error} */ (error).message}`);
    return false;
  }
}

/** @returns {Promise<number>} how many failed */
async function runChecks() {
  let failed = (await isBuilt()) ? 0 : 1;
  for (const { name, program, args } of checks) {
    const { code, tail } = await runQuietly(process.execPath, [join(root, program), ...args], { cwd: root });
    say(code === 0 ? `check ${name}: ok` : `check ${name}: FAILED\n${tail}`);
    if (code !== 0) failed++;
  }
  return failed;
}

/**
 * @param {string} report
 * @param {string} folder
 * @param {Record<string, string | undefined>} env
 * @param {readonly string[]} more
 * @returns {Promise<number>} exit code
 */
function runVitest(report, folder, env, more) {
  const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
  const args = ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`, ...more];
  // Made once and copied by each test: it outlives the run's own folder.
  const templates = join(tmpdir(), `cazi-test-templates-${process.getuid?.() ?? 0}`);
  const child = spawn("/bin/sh", ["-c", guard, "sh", process.execPath, vitest, ...args], {
    cwd: root,
    env: { ...env, TMPDIR: folder, TEST_TEMPLATES: templates },
    detached: true,
    stdio: ["pipe", "inherit", "inherit"],
  });
  child.stdin.on("error", () => {});
  const stop = () => killGroup(child.pid);
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, stop);
  return new Promise((resolve) => {
    child.once("error", () => resolve(127));
    child.once("exit", (code) => {
      stop();
      resolve(code ?? 1);
    });
  });
}

/** @param {number | undefined} pid */
function killGroup(pid) {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // All have ended.
  }
}

/** @param {string} path */
function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return null;
  }
}
