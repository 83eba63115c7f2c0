/** What operators say of nodes, and what a node may be taken for. Pure. */
import type { FleetEntry, FleetState, NodeBounds } from "../../../schemas/messages/fleet.ts";
import type { NodeRegistration } from "../../../schemas/messages/node.ts";
import { isWithin } from "../spec/mountPath.ts";

/** A node as everybody but itself takes it. */
export interface KnownNode extends NodeRegistration {
  readonly state: FleetState;
  /** Whose tasks may run there; null for everybody's. */
  readonly tenants: readonly string[] | null;
  /** What it registered beyond its declaration, and what therefore counts for nothing: one sentence each. */
  readonly clipped: readonly string[];
}

/**
 * INV-DECLARED: of what a node says it can do, what its declaration covers. A node without a declaration is in the
 * services' own account: only they can register it, and nothing bounds it.
 */
export function boundNode(said: NodeRegistration, entry: FleetEntry | undefined): KnownNode {
  const state = entry?.state ?? "active";
  const unavailable = refusesWork(state) ?? said.unavailable;
  const bounds = entry?.bounds ?? null;
  if (bounds === null) return { ...said, unavailable, state, tenants: null, clipped: [] };
  const clipped: string[] = [];
  const keep = (what: string, list: readonly string[], isDeclared: (one: string) => boolean) =>
    list.filter((one) => {
      const declared = isDeclared(one);
      if (!declared) clipped.push(`${what} ${one} is not declared`);
      return declared;
    });
  const labels = keep("label", Object.keys(said.labels), (name) => bounds.labels[name] === said.labels[name]);
  const bounded = {
    labels: Object.fromEntries(labels.map((name) => [name, said.labels[name]!])),
    tags: keep("tag", said.tags, (one) => bounds.tags.includes(one)),
    networks: keep("network", said.networks, (one) => bounds.networks.includes(one)),
    mount_allowlist: keep("mount", said.mount_allowlist, (one) =>
      bounds.mounts.some((root) => isWithin(one, root)),
    ),
    slots: Math.min(said.slots, bounds.slots),
  };
  if (said.slots > bounds.slots)
    clipped.push(`${said.slots} slots are more than the ${bounds.slots} declared`);
  return { ...said, ...bounded, unavailable, state, tenants: bounds.tenants, clipped };
}

/** Why a node of this state gets no new attempt; null when it may. */
export function refusesWork(state: FleetState): string | null {
  return state === "active" ? null : state;
}

/** Why this node may not begin an attempt of this tenant, as a sentence; null when it may. */
export function mayNotBegin(node: string, entry: FleetEntry | undefined, tenant: string): string | null {
  if (entry === undefined) return null;
  const state = refusesWork(entry.state);
  if (state !== null) return `node ${node} is ${state}`;
  const tenants = entry.bounds?.tenants ?? null;
  return tenants === null || tenants.includes(tenant) ? null : `node ${node} is not declared for this tenant`;
}

/** What an operator wants of a node. */
export type FleetChange =
  | { readonly kind: "declare"; readonly bounds: NodeBounds; readonly account: string | null }
  | { readonly kind: "state"; readonly state: "active" | "cordoned" | "draining" }
  | { readonly kind: "remove"; readonly running: number; readonly force: boolean };

export type FleetRefusal = "NODE_NOT_FOUND" | "NODE_NOT_STANDALONE" | "NODE_BUSY";

/**
 * The entry after the change, or why not. Doing the same again changes nothing but who did it last.
 * @param known.registered the node is online without a declaration: it is in the services' own account
 */
export function changeFleet(
  entry: FleetEntry | undefined,
  change: FleetChange,
  known: { readonly registered: boolean; readonly online: boolean },
): Pick<FleetEntry, "bounds" | "state" | "account"> | FleetRefusal {
  const isThere = entry !== undefined && entry.state !== "removed";
  const ofServices = entry?.bounds == null && known.registered;
  if (change.kind === "declare") {
    if (ofServices) return "NODE_NOT_STANDALONE";
    const account = change.account ?? entry?.account ?? null;
    return { bounds: change.bounds, state: isThere ? entry.state : "active", account };
  }
  if (change.kind === "remove") {
    if (entry === undefined && !known.registered) return "NODE_NOT_FOUND";
    if (ofServices && known.online) return "NODE_NOT_STANDALONE";
    if (change.running > 0 && !change.force) return "NODE_BUSY";
    return { bounds: entry?.bounds ?? null, state: "removed", account: entry?.account ?? null };
  }
  if (!isThere && !known.registered) return "NODE_NOT_FOUND";
  return { bounds: entry?.bounds ?? null, state: change.state, account: entry?.account ?? null };
}
