import { schedulingIndexOf } from "../../../services/kernel/ledger/schedulingIndexOf.ts";
import { startScheduler } from "../../../services/scheduler/startScheduler.ts";
import type { Ground, RunningRole } from "./role.ts";

export function schedulerRole(ground: Ground): RunningRole {
  const lease = ground.lease("scheduler");
  const index = schedulingIndexOf(ground.live, ground.config.priorityPointMs);
  const stop = startScheduler({ ...ground, index, lease });
  return {
    name: "scheduler",
    trouble: () => null,
    stop: async () => {
      await stop();
      await lease.stop();
    },
  };
}
