/** One program in the compartment, in this process, as whoever embeds it runs one. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseFlags } from "../../../services/compartment/cli/parseFlags.ts";
import { resolveConfig } from "../../../services/compartment/cli/resolveConfig.ts";
import type { GuestPool } from "../../../services/compartment/engine/guestPool.ts";
import { systemNetwork } from "../../../services/compartment/network/networkPort.ts";
import { runFlags } from "../../../services/compartment/policy/configKeys.ts";
import { type OpenRun, openRun, type RunResult } from "../../../services/compartment/turn/runAgent.ts";
import { systemClock } from "../../../services/kernel/clock.ts";

export async function runOnce(...of: Parameters<typeof openOnce>): Promise<RunResult> {
  const opened = await openOnce(...of);
  return opened.run();
}

/**
 * All that comes before the turn: folder, program, flags and the log.
 * @param folder holds the program and its log afterwards
 */
export async function openOnce(
  guests: GuestPool,
  folder: string,
  source: string,
  flags: readonly string[],
): Promise<OpenRun> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "agent.js"), source);
  rmSync(join(folder, ".cazi"), { recursive: true, force: true });
  const config = resolveConfig(parseFlags(runFlags, ["--timeout-ms=60000", ...flags, "agent.js"]), folder);
  return openRun(
    {
      clock: systemClock,
      guests,
      seed: () => 7,
      tools: { network: systemNetwork, credential: () => "", taskRunner: null },
      secrets: [],
      onEvent: () => {},
      cwd: folder,
    },
    { ...config, resolved: { npm_registry: null, model_url: null } },
  );
}
