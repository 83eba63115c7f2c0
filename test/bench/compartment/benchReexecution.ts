/** The first calls of a job made again from its journal, beside the same calls made the first time. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseFlags } from "../../../services/compartment/cli/parseFlags.ts";
import { resolveConfig } from "../../../services/compartment/cli/resolveConfig.ts";
import { createGuestPool } from "../../../services/compartment/engine/guestPool.ts";
import { startJob } from "../../../services/compartment/jobs/startJob.ts";
import { tickJob } from "../../../services/compartment/jobs/tickJob.ts";
import { systemNetwork } from "../../../services/compartment/network/networkPort.ts";
import { runFlags } from "../../../services/compartment/policy/configKeys.ts";
import { systemClock } from "../../../services/kernel/clock.ts";
import { compared, type Figure } from "../figures.ts";
import { msOf } from "./benchTurns.ts";

const CALLS = 500;
const SOURCE = `for (let n = 0; n < ${CALLS}; n++) callTool("echo", { n, text: "some text" });
await scheduler.sleep(500);
emit({ done: true });`;

export async function benchReexecution(of: {
  readonly folder: string;
  readonly rounds: number;
}): Promise<Figure> {
  writeFileSync(join(of.folder, "job.js"), SOURCE);
  const flags = parseFlags(runFlags, ["job.js", "--tool=echo", "--timeout-ms=60000"]);
  const config = {
    ...resolveConfig(flags, of.folder),
    resolved: { npm_registry: null, model_url: null },
  };
  const tools = { network: systemNetwork, credential: () => "", taskRunner: null };
  const rounds: { value: number; control: number }[] = [];
  for (let round = 0; round < of.rounds; round++) {
    const folder = join(of.folder, `job-${round}`);
    await startJob({ clock: systemClock, seed: () => 7, tools }, { folder, jobId: "j", config });
    const tick = async () => {
      const guests = createGuestPool({ ahead: 0 });
      guests.warm(64);
      await sleep(1000);
      const ports = { clock: systemClock, guests, tools, secretsOf: () => [] };
      return msOf(() => tickJob({ ...ports, onEvent: () => {}, stepDone: () => {} }, folder));
    };
    const control = await tick();
    rounds.push({ value: await tick(), control });
  }
  return compared({
    name: `${CALLS} calls of a job, made again from its journal`,
    unit: "ms",
    controlName: "the same calls, live: intent and result synced",
    target: { of: "ratio", is: "at most", value: 0.5 },
    rounds,
  });
}
