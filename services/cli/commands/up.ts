import { up } from "../../../deploy/up.ts";
import { createLog } from "../../kernel/log.ts";
import type { CliContext } from "../context.ts";
import { exitCodes } from "../exitCode.ts";

/**
 * Every role and what they stand on, until a signal. What is done and why, and the `ready` message, go to stdout in
 * plain lines; the services' own log goes to stderr, warnings and worse unless CAZI_LOG_LEVEL says otherwise.
 */
export async function runUp(context: CliContext): Promise<number> {
  const { config, given } = context.settings();
  const { env, clock, signals, exitNow } = context;
  const { startRoles } = await import("../../../deploy/compose/startRoles.ts");
  const rolesLog = createLog(given.has("logLevel") ? config.logLevel : "warn", "up");
  const say = (text: string) => {
    context.stdout.write(`${text}\n`);
  };
  const log = { info: say, warn: (text: string) => void context.output.message(text) };
  await up({
    config,
    given,
    env,
    log,
    clock,
    say,
    signals,
    exitNow,
    startRoles: startRoles({ config, given, log: rolesLog, clock }),
  });
  return exitCodes.ok;
}
