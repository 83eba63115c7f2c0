import { startReactor } from "../../../services/reactor/startReactor.ts";
import type { Ground, RunningRole } from "./role.ts";

/** Offers expire and nodes are lost in seconds: looking twice a second is early enough, and costs one walk of the live tasks. */
const SWEEP_MS = 500;

export function reactorRole(ground: Ground): RunningRole {
  const { config } = ground;
  const lease = ground.lease("reactor");
  const lostAfterMs = config.nodeOfflineMs + config.nodeLostGraceMs;
  const stop = startReactor({ ...ground, lease, random: Math.random, lostAfterMs, sweepMs: SWEEP_MS });
  return {
    name: "reactor",
    trouble: () => null,
    stop: async () => {
      await stop();
      await lease.stop();
    },
  };
}
