import { PeopleDirectory } from "../../../services/control-plane/people/directory.ts";
import { openPeopleBucket } from "../../../services/control-plane/people/peopleBucket.ts";
import { limitsInForce } from "../../../services/control-plane/people/tenantLimits.ts";
import { askQuota } from "../../../services/control-plane/quotas/askQuota.ts";
import { createQuotas } from "../../../services/control-plane/quotas/quotas.ts";
import { waitingTasks } from "../../../services/control-plane/quotas/waitingTasks.ts";
import { requireConnections } from "../../../services/control-plane/submit/requireConnections.ts";
import { requireRoom } from "../../../services/control-plane/submit/requireRoom.ts";
import { rejectionOf } from "../../../services/control-plane/submit/specRequest.ts";
import { watchStorage } from "../../../services/control-plane/submit/storageWatch.ts";
import { refuseMounts } from "../../../services/domain/scheduling/mountRule.ts";
import { isUsableBy } from "../../../services/domain/scheduling/rules.ts";
import type { ConnectionStore } from "../../../services/kernel/connections/connectionStore.ts";
import type { AdmitDownstream } from "../../../services/sinks/task/submitDownstream.ts";
import type { Ground } from "./role.ts";

/** The admission of downstream tasks, and how to end what it watches. */
export interface DownstreamAdmission {
  readonly admit: AdmitDownstream;
  stop(): void;
}

/**
 * The checks of any submit, with the very functions of the API, for the tasks that the sinks role submits.
 *
 * What the API counts for itself, submits a minute and bytes kept, it is asked for, and only for a tenant that has such a
 * limit: where it is away, downstream tasks of such a tenant wait for it, and no other sink does.
 * @throws what the server answers
 */
export async function admitDownstream(
  ground: Pick<Ground, "config" | "nats" | "clock" | "log" | "live" | "nodes">,
  connections: Pick<ConnectionStore, "get" | "list">,
): Promise<DownstreamAdmission> {
  const { config, nats, clock, log, live, nodes } = ground;
  const directory = new PeopleDirectory(config.tenant);
  const bucket = await openPeopleBucket({ nats, log, directory });
  const storage = watchStorage({ nats, log, home: config.home });
  const limits = (tenant: string) => limitsInForce(directory.tenant(tenant), config);
  const quotas = createQuotas({
    limits: (tenant) => ({ ...limits(tenant), submits_per_minute: 0, stored_bytes_max: 0 }),
    waiting: waitingTasks(live.tasks),
    storedBytes: async () => 0,
    // One process holds the lease; what servers of the API take is in the fold a moment later.
    servers: () => 1,
    monotonicMs: clock.monotonicMs,
  });
  return {
    admit: async ({ tenant, task, spec }) => {
      const usable = [...nodes.registrations()].filter((node) => isUsableBy(tenant, node));
      const refusal = refuseMounts(spec.mounts, usable);
      if (refusal !== null) throw rejectionOf(refusal);
      await requireConnections(connections, tenant, spec.connections ?? []);
      requireRoom(storage);
      const notThere = await quotas.admitSubmit({ tenant, task });
      const { submits_per_minute, stored_bytes_max } = limits(tenant);
      if (submits_per_minute === 0 && stored_bytes_max === 0) return notThere;
      try {
        await askQuota(nats, tenant);
        return notThere;
      } catch (error) {
        notThere();
        throw error;
      }
    },
    stop: () => {
      bucket.stop();
      storage.stop();
    },
  };
}
