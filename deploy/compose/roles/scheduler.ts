import { startScheduler } from "../../../services/scheduler/startScheduler.ts";
import type { Ground, RunningRole } from "./role.ts";

export function schedulerRole(ground: Ground): RunningRole {
  const lease = ground.lease("scheduler");
  const stop = startScheduler({ ...ground, lease });
  return {
    name: "scheduler",
    trouble: () => null,
    stop: async () => {
      await stop();
      await lease.stop();
    },
  };
}
