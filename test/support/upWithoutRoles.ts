/** A program for tests of `up` itself: everything but the roles, which a bare HTTP server stands for. */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { type RunningRoles, type UpParts, up } from "../../deploy/up.ts";
import { systemClock } from "../../services/kernel/clock.ts";
import { loadConfig } from "../../services/kernel/config.ts";
import { CaziError } from "../../services/kernel/errors.ts";

async function startRoles({ listen }: UpParts): Promise<RunningRoles> {
  const server = createServer((_, response) => response.end("ok"));
  await new Promise<void>((resolve) => server.listen(listen.port, listen.host, resolve));
  const stop = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { url: `http://${listen.host}:${listen.port}`, lost: false, stop };
}

const { config, given } = loadConfig(process.env, (path) => readFileSync(path, "utf8"));
try {
  await up({
    config,
    given,
    env: process.env,
    log: { info: console.log, warn: console.log },
    clock: systemClock,
    startRoles,
    say: console.log,
    signals: process,
    exitNow: (code) => process.exit(code),
  });
} catch (error) {
  if (!(error instanceof CaziError)) throw error;
  console.log(`${error.code}: ${error.message}`);
  process.exitCode = 1;
}
