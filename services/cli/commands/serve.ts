import { readFileSync } from "node:fs";
import { loadConfig } from "../../kernel/config.ts";
import { Rejection } from "../../kernel/errors.ts";
import { createLog } from "../../kernel/log.ts";
import type { Role } from "../../kernel/roles.ts";
import type { CliContext } from "../context.ts";
import { exitCodes } from "../exitCode.ts";

/** Settings of a node that may be given as options, by option. */
const variables = {
  name: "CAZI_NODE",
  slots: "CAZI_NODE_SLOTS",
  labels: "CAZI_NODE_LABELS",
  tags: "CAZI_NODE_TAGS",
  networks: "CAZI_NODE_NETWORKS",
  mounts: "CAZI_NODE_MOUNTS",
  runtime: "CAZI_NODE_RUNTIME",
} as const;
export type ServeNodeOptions = { readonly [K in keyof typeof variables]?: string };

/** Runs one role in the foreground until it is told to end. */
export async function serve(context: CliContext, role: Role, options: ServeNodeOptions): Promise<number> {
  const env: Record<string, string | undefined> = { ...context.env };
  for (const [option, value] of Object.entries(options)) {
    if (role !== "node") {
      throw new Rejection("USAGE", `--${option} is an option of the role node`, {
        hint: "`cazi config` lists the settings of the other roles.",
      });
    }
    env[variables[option as keyof ServeNodeOptions]] = value;
  }
  const { config, given } = loadConfig(env, (path) => readFileSync(path, "utf8"));
  const { serveRole } = await import("../../../deploy/compose/serveRole.ts");
  const log = createLog(config.logLevel, role);
  const say = (text: string) => {
    context.stdout.write(`${text}\n`);
  };
  await serveRole(role, { config, given, log, clock: context.clock, say });
  return exitCodes.ok;
}
