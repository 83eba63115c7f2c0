import { startControlPlane } from "../../../services/control-plane/main.ts";
import { createTaskReads } from "../../../services/control-plane/reads/taskReads.ts";
import { startTransitions } from "../../../services/control-plane/transitions/startTransitions.ts";
import type { DatabasePool } from "../../../services/kernel/postgres/openPool.ts";
import { mcpOverHttp } from "../mcpOverHttp.ts";
import { unreadyRoles } from "../unreadyRoles.ts";
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
  const api = await startControlPlane({
    ...ground,
    ...options,
    reads: createTaskReads(options.pool),
    mcp: mcpOverHttp(ground),
    unready: () => unreadyRoles(ground.gate, options.beside),
  });
  return {
    name: "control-plane",
    url: api.url,
    trouble: () =>
      api
        .missing()
        .map(({ message }) => message)
        .join("; ") || null,
    stop: async () => {
      await api.stop();
      await stopTransitions();
    },
  };
}
