import { startControlPlane } from "../../../services/control-plane/main.ts";
import { createTaskReads } from "../../../services/control-plane/reads/taskReads.ts";
import { startTransitions } from "../../../services/control-plane/transitions/startTransitions.ts";
import type { DatabasePool } from "../../../services/kernel/postgres/openPool.ts";
import type { Ground, RunningRole } from "./role.ts";

export interface ControlPlaneRole extends RunningRole {
  /** Where the API answers. */
  readonly url: string;
}

export async function controlPlaneRole(
  ground: Ground,
  options: {
    readonly pool: DatabasePool;
    readonly adminToken: string;
    readonly listen: { readonly host: string; readonly port: number };
    readonly portFixed: boolean;
    /** Roles beside it in this process, asked by `/readyz`. */
    readonly beside: readonly RunningRole[];
  },
): Promise<ControlPlaneRole> {
  const { config } = ground;
  const { claimLimitMs, startLimitMs, stopGraceMs } = config;
  const epoch = ground.feed.epoch;
  const stopTransitions = startTransitions({
    ...ground,
    epoch,
    random: Math.random,
    claimLimitMs,
    startLimitMs,
    stopGraceMs,
  });
  const unready = () => {
    // Nobody may have written yet: then the probe is the first that asks.
    if (ground.gate.state !== "open") ground.gate.open().catch(() => undefined);
    const message = "the ledger has lost events; nothing is written to it until it is repaired";
    return [
      ...(ground.gate.state === "regressed" ? [{ code: "LEDGER_REGRESSED", message }] : []),
      ...options.beside.flatMap((role) => {
        const trouble = role.trouble();
        return trouble === null ? [] : [{ code: "ROLE_TROUBLED", message: `${role.name}: ${trouble}` }];
      }),
    ];
  };
  const api = await startControlPlane({
    ...ground,
    ...options,
    reads: createTaskReads(options.pool),
    unready,
  });
  return {
    name: "control-plane",
    url: api.url,
    trouble: () => null,
    stop: async () => {
      await api.stop();
      await stopTransitions();
    },
  };
}
