import { refusesWork } from "../../domain/scheduling/fleet.ts";
import { type NodeView, offersOf } from "../../domain/scheduling/nodeView.ts";
import type { NodeDirectory } from "./nodeDirectory.ts";

type Registration = ReturnType<NodeDirectory["registrations"]> extends Iterable<infer One> ? One : never;

/** A node that said nothing new stays the same object: what was found out about it holds. */
const views = new WeakMap<Registration, NodeView>();

/** The nodes as scheduling rules look at them. */
export function nodeViews(nodes: Pick<NodeDirectory, "registrations">): readonly NodeView[] {
  return [...nodes.registrations()].map((one) => {
    const known = views.get(one);
    if (known) return known;
    const { node, labels, tags, tenants, networks, mount_allowlist, cpus, memory_bytes, unavailable } = one;
    const offers = offersOf(one);
    const view = {
      node,
      labels,
      tags,
      tenants,
      networks,
      mount_allowlist,
      cpus,
      memory_bytes,
      offers,
      script_tools: one.script_tools ?? null,
      closed: refusesWork(one.state),
      unavailable,
    };
    views.set(one, view);
    return view;
  });
}
