import type { Node } from "../../../schemas/api/node.ts";
import { toTimestamp } from "../../../schemas/api/timestamp.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { NodeDirectory } from "../../kernel/nodes/nodeDirectory.ts";

/** The nodes as the API shows them. @param ports.runningOn attempts that are on a node now */
export function listNodes(ports: {
  readonly directory: NodeDirectory;
  readonly runningOn: (node: string) => number;
  readonly clock: Clock;
}): readonly Node[] {
  const { directory, runningOn, clock } = ports;
  return [...directory.registrations()].map((one) => {
    const online = directory.isOnline(one.node);
    return {
      name: one.node,
      status: online ? "online" : "offline",
      runtime: one.runtime,
      labels: one.labels,
      tags: one.tags,
      slots: one.slots,
      running: runningOn(one.node),
      cpus: one.cpus,
      memory_bytes: one.memory_bytes,
      mounts: one.mount_allowlist,
      networks: one.networks,
      engine: one.engine,
      unavailable: one.unavailable,
      registered_at: toTimestamp(one.registered_at),
      last_seen_at: online ? toTimestamp(clock.now() - Math.round(directory.silentMs(one.node))) : null,
    };
  });
}
