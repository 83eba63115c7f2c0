import { existsSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { ensureHome } from "../../../deploy/homeFolder.ts";
import { up } from "../../../deploy/up.ts";
import { createFileLog, createLog } from "../../kernel/log.ts";
import type { CliContext } from "../context.ts";
import { exitCodes } from "../exitCode.ts";

const logBytesMax = 16 * 1024 * 1024;

/**
 * Every role and what they stand on, until a signal. What is done and why, and the `ready` message, go to stdout in
 * plain lines; the services' own log goes to `cazi.log` in the home, or to stderr when CAZI_LOG_LEVEL is given.
 */
export async function runUp(context: CliContext): Promise<number> {
  const { config, given } = context.settings();
  const { env, clock, signals, exitNow } = context;
  ensureHome(config.home);
  const { startRoles } = await import("../../../deploy/compose/startRoles.ts");
  const tell = (text: string) => void context.output.message(text);
  const rolesLog = given.has("logLevel")
    ? createLog(config.logLevel, "up")
    : createFileLog(config.logLevel, "up", { path: freshLogFile(config.home), tell });
  const say = (text: string) => {
    context.stdout.write(`${text}\n`);
  };
  const log = { info: say, warn: tell };
  await up({
    config,
    given,
    env,
    log,
    clock,
    say,
    signals,
    exitNow,
    startRoles: startRoles({ config, given, log: rolesLog, clock, tell }),
  });
  return exitCodes.ok;
}

/** A log that has grown large is kept once, beside the new one. */
function freshLogFile(home: string): string {
  const path = join(home, "cazi.log");
  if (existsSync(path) && statSync(path).size > logBytesMax) renameSync(path, `${path}.1`);
  return path;
}
