import type { SetGauge } from "../../../services/kernel/metrics/metrics.ts";
import type { NodeDirectory } from "../../../services/kernel/nodes/nodeDirectory.ts";

/** More series than this cost a scrape more than they tell anybody. */
const NODES_MAX = 1_000;

/** @param usedOn attempts on a node */
export function nodeGauges(
  nodes: Pick<NodeDirectory, "registrations" | "isOnline" | "silentMs">,
  usedOn: (node: string) => number,
  set: SetGauge,
): void {
  let told = 0;
  for (const { node, slots, unavailable } of nodes.registrations()) {
    if (++told > NODES_MAX) return;
    const online = nodes.isOnline(node);
    const available = online && unavailable === null;
    const used = usedOn(node);
    set("cazi_node_online", { node }, online ? 1 : 0);
    set("cazi_node_available", { node }, available ? 1 : 0);
    set("cazi_node_silence_seconds", { node }, nodes.silentMs(node) / 1000);
    set("cazi_node_slots", { node }, slots);
    set("cazi_node_slots_used", { node }, used);
    set("cazi_node_slots_free", { node }, available ? Math.max(0, slots - used) : 0);
  }
}
