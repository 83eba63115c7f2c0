import { MODEL_BY_PLANE, PROCESS_AS_TASK, PROJECTS } from "../spec/scriptRules.ts";
import { mountNotOffered } from "./mountRule.ts";
import type { NodeView } from "./nodeView.ts";
import { cpusOf, type Kind, type Placement, type Room } from "./placement.ts";

/**
 * The rules that a node has to meet, in the order in which they are looked at: the further down, the nearer the
 * node is to taking the task.
 */
export const rules = [
  "tenant",
  "node",
  "labels",
  "tags",
  "network",
  "mounts",
  "script",
  "unavailable",
  "resources",
  "offline",
  "held",
  "slots",
  "cpus",
  "memory",
] as const;
export type Rule = (typeof rules)[number];

/** A rule that a node does not meet. */
export interface Misfit {
  readonly node: string;
  readonly rule: Rule;
  readonly message: string;
}

/** The first rule that keeps every task of this kind off the node, however empty it is; null when none does. */
export function kindMisfit(kind: Kind, view: NodeView): Misfit | null {
  if (isUsableBy(kind.tenant, view)) return placementMisfit(kind.placement, view);
  return { node: view.node, rule: "tenant", message: "the tenant may not use it" };
}

export function isUsableBy(tenant: string, { tenants }: Pick<NodeView, "tenants">): boolean {
  return tenants === null || tenants.includes(tenant);
}

/** The same of rules that are no matter of the tenant. */
export function placementMisfit(placement: Placement, view: NodeView): Misfit | null {
  const no = (rule: Rule, message: string): Misfit => ({ node: view.node, rule, message });
  const { selector, tags, network, mounts } = placement;
  if (selector.node !== null && selector.node !== view.node)
    return no("node", `the task names node ${selector.node}`);
  const label = Object.entries(selector.labels).find(([name, value]) => view.labels[name] !== value);
  if (label) return no("labels", `it has no label ${label[0]}=${label[1]}`);
  const tag = tags.find((one) => !view.tags.includes(one));
  if (tag !== undefined) return no("tags", `it has no tag ${tag}`);
  if (placement.scriptTools !== null) return scriptMisfit(placement.scriptTools, view);
  if (!view.networks.includes(network)) return no("network", `it does not offer network ${network}`);
  const mount = mountNotOffered(mounts, view);
  if (mount !== null) return no("mounts", `it does not offer ${mounts[mount]!.source} for mounting`);
  if (view.unavailable !== null) return no("unavailable", view.unavailable);
  return null;
}

/** A script has no network of its own and needs no engine, but each of its tools has to be offered. */
function scriptMisfit(tools: readonly string[], view: NodeView): Misfit | null {
  const no = (rule: Rule, message: string): Misfit => ({ node: view.node, rule, message });
  const offered = view.script_tools ?? null;
  if (offered === null) return no("script", "it runs no scripts");
  const missing = tools.find((tool) => !offered.includes(tool));
  if (missing !== undefined) return no("script", toolNotOffered(missing));
  return view.closed ? no("unavailable", view.closed) : null;
}

const OF_LATER_AGENTS: Readonly<Record<string, string>> = {
  [PROCESS_AS_TASK]: "run process as a task",
  [MODEL_BY_PLANE]: "ask the control plane for model.call",
  [PROJECTS]: "run projects",
};

function toolNotOffered(tool: string): string {
  const later = OF_LATER_AGENTS[tool];
  if (later !== undefined) return `its agent is of a version that cannot ${later}`;
  const asTask = tool === "process" ? "; with process_image it needs no command of the node" : "";
  return `it does not offer the tool ${tool} to scripts${asTask}`;
}

/** The rule that keeps a task of this size off the node even when nothing else is on it, or null. */
export function sizeMisfit(needs: Room, view: NodeView): Misfit | null {
  const no = (message: string): Misfit => ({ node: view.node, rule: "resources", message });
  const { nanoCpus, memoryBytes } = needs;
  const cpus = Math.min(view.cpus, cpusOf(view.offers.nanoCpus));
  if (cpusOf(nanoCpus) > cpus) return no(`it has ${cpus} CPUs for a task, ${cpusOf(nanoCpus)} are asked`);
  if (memoryBytes > view.offers.memoryBytes)
    return no(`it has ${mebibytes(view.offers.memoryBytes)} of memory, ${mebibytes(memoryBytes)} are asked`);
  return null;
}

/** What of a node's room is missing for a task, or null when it is there. @param used what is declared there now */
export function roomMisfit(needs: Room, view: NodeView, used: Room): Misfit | null {
  const no = (rule: Rule, message: string): Misfit => ({ node: view.node, rule, message });
  const { offers } = view;
  if (used.slots + needs.slots > offers.slots)
    return no(
      "slots",
      offers.slots === 1 ? "its only slot is in use" : `all its ${offers.slots} slots are in use`,
    );
  const cpus = offers.nanoCpus - used.nanoCpus;
  if (needs.nanoCpus > cpus)
    return no("cpus", `${cpusOf(cpus)} of its ${cpusOf(offers.nanoCpus)} CPUs are not given away`);
  const memory = offers.memoryBytes - used.memoryBytes;
  if (needs.memoryBytes > memory)
    return no(
      "memory",
      `${mebibytes(memory)} of its ${mebibytes(offers.memoryBytes)} of memory are not given away`,
    );
  return null;
}

function mebibytes(bytes: number): string {
  return `${Math.floor(bytes / 1024 ** 2)} MiB`;
}
