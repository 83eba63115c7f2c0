import type { NodeView } from "../../domain/scheduling/placement.ts";
import type { NodeDirectory } from "./nodeDirectory.ts";

/** The nodes as scheduling rules look at them. @param usedOn attempts that take a slot on a node */
export function nodeViews(
  nodes: NodeDirectory,
  usedOn: (node: string) => number,
): (NodeView & { used: number })[] {
  return [...nodes.registrations()].map((one) => ({
    node: one.node,
    labels: one.labels,
    tags: one.tags,
    slots: one.slots,
    used: usedOn(one.node),
    networks: one.networks,
    mount_allowlist: one.mount_allowlist,
    cpus: one.cpus,
    memory_bytes: one.memory_bytes,
    online: nodes.isOnline(one.node),
    unavailable: one.unavailable,
  }));
}
