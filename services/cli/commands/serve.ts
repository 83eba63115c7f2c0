import { createLog } from "../../kernel/log.ts";
import type { CliContext } from "../context.ts";
import { exitCodes } from "../exitCode.ts";
import type { Role } from "../roles.ts";

/** Runs one role in the foreground until it is told to end. */
export async function serve(context: CliContext, role: Role): Promise<number> {
  const { config, given } = context.settings();
  const { serveRole } = await import("../../../deploy/compose/serveRole.ts");
  const log = createLog(config.logLevel, role);
  const say = (text: string) => {
    context.stdout.write(`${text}\n`);
  };
  await serveRole(role, { config, given, log, clock: context.clock, say });
  return exitCodes.ok;
}
