import { startNodeAgent } from "../../../services/node-agent/main.ts";
import { compartmentScripts } from "./compartmentScripts.ts";
import type { Ground, RunningRole } from "./role.ts";

/** A node needs the connection and nothing else of the ground: it never reads the ledger. */
export async function nodeRole(
  ground: Pick<Ground, "config" | "nats" | "clock" | "log" | "tracer">,
  instance: string,
): Promise<RunningRole> {
  const { config, nats, clock, log, tracer } = ground;
  const scripts = await compartmentScripts({ config, clock, env: process.env });
  const agent = await startNodeAgent({ config, nats, clock, log, tracer, instance, scripts });
  return { name: "node", trouble: () => null, stop: () => agent.stop() };
}
