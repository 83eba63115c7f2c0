import { mountNotOffered } from "./mountRule.ts";

/** Where a task may run, as its spec says it. Pure: nodes and their use are arguments. */

/** The part of a canonical spec that placement looks at. */
export interface Placement {
  readonly selector: { readonly node: string | null; readonly labels: Readonly<Record<string, string>> };
  readonly tags: readonly string[];
  readonly network: string;
  readonly mounts: readonly { readonly source: string }[];
  readonly resources: { readonly cpus: number; readonly memory: number };
}

/** @param spec canonical JSON of a WorkloadSpec */
export function placementOf(spec: string): Placement {
  return JSON.parse(spec) as Placement;
}

/** A node as the scheduler sees it now. */
export interface NodeView {
  readonly node: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly tags: readonly string[];
  readonly slots: number;
  readonly used: number;
  readonly networks: readonly string[];
  /** Host paths that tasks there may mount. */
  readonly mount_allowlist: readonly string[];
  readonly cpus: number;
  readonly memory_bytes: number;
  readonly online: boolean;
  /** Why it takes no work now, in the node's words. */
  readonly unavailable: string | null;
}

/** A rule that a node does not meet; `waits` is true when time alone can change it. */
export interface Misfit {
  readonly node: string;
  readonly rule:
    | "offline"
    | "unavailable"
    | "node"
    | "labels"
    | "tags"
    | "network"
    | "mounts"
    | "resources"
    | "slots";
  readonly message: string;
}

/** The first rule that keeps the task off the node, or null when it may run there now. */
export function misfit(placement: Placement, view: NodeView): Misfit | null {
  const no = (rule: Misfit["rule"], message: string): Misfit => ({ node: view.node, rule, message });
  const { selector, tags, network, mounts, resources } = placement;
  if (selector.node !== null && selector.node !== view.node)
    return no("node", `the task names node ${selector.node}`);
  const label = Object.entries(selector.labels).find(([name, value]) => view.labels[name] !== value);
  if (label) return no("labels", `it has no label ${label[0]}=${label[1]}`);
  const tag = tags.find((one) => !view.tags.includes(one));
  if (tag !== undefined) return no("tags", `it has no tag ${tag}`);
  if (!view.networks.includes(network)) return no("network", `it does not offer network ${network}`);
  const mount = mountNotOffered(mounts, view);
  if (mount !== null) return no("mounts", `it does not offer ${mounts[mount]!.source} for mounting`);
  if (resources.cpus > view.cpus)
    return no("resources", `it has ${view.cpus} CPUs, ${resources.cpus} are asked`);
  if (resources.memory > view.memory_bytes)
    return no("resources", `it has less memory than ${resources.memory} bytes`);
  if (!view.online) return no("offline", "it is offline");
  if (view.unavailable !== null) return no("unavailable", view.unavailable);
  if (view.used >= view.slots) return no("slots", `all its ${view.slots} slots are in use`);
  return null;
}
