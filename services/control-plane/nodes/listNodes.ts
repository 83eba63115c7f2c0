import type { Node } from "../../../schemas/api/node.ts";
import { toTimestamp } from "../../../schemas/api/timestamp.ts";
import type { FleetEntry } from "../../../schemas/messages/fleet.ts";
import type { KnownNode } from "../../domain/scheduling/fleet.ts";
import { offersOf } from "../../domain/scheduling/nodeView.ts";
import { cpusOf, type Room } from "../../domain/scheduling/placement.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { NodeDirectory } from "../../kernel/nodes/nodeDirectory.ts";

interface ListPorts {
  readonly directory: NodeDirectory;
  /** What the tasks on a node declare together. */
  readonly useOf: (node: string) => Room;
  readonly clock: Clock;
}

/** The nodes as the API shows them: those that registered, and those that were declared and never did. */
export function listNodes(ports: ListPorts): readonly Node[] {
  const fleet = ports.directory.fleet();
  const registered = [...ports.directory.registrations()];
  const names = new Set(registered.map((one) => one.node));
  const declared = [...fleet].filter(([name, entry]) => entry.state !== "removed" && !names.has(name));
  return [
    ...registered.map((one) => shown(ports, one, fleet.get(one.node))),
    ...declared.map(([name, entry]) => neverSeen(name, entry)),
  ];
}

function shown({ directory, useOf, clock }: ListPorts, one: KnownNode, entry?: FleetEntry): Node {
  const use = useOf(one.node);
  const online = directory.isOnline(one.node);
  return {
    name: one.node,
    status: online ? "online" : "offline",
    state: stateOf(one.state),
    runtime: one.runtime,
    labels: one.labels,
    tags: [...one.tags],
    slots: one.slots,
    running: use.slots,
    cpus: one.cpus,
    memory_bytes: one.memory_bytes,
    offered: roomOf(offersOf(one)),
    declared: roomOf(use),
    mounts: [...one.mount_allowlist],
    networks: [...one.networks],
    engine: one.engine,
    script_tools: one.script_tools == null ? null : [...one.script_tools],
    unavailable: one.unavailable,
    tenants: one.tenants === null ? null : [...one.tenants],
    clipped: [...one.clipped],
    bounds: entry?.bounds ?? null,
    account: entry?.account ?? null,
    registered_at: toTimestamp(one.registered_at),
    last_seen_at: online ? toTimestamp(clock.now() - Math.round(directory.silentMs(one.node))) : null,
  };
}

function neverSeen(name: string, { state, bounds, account }: FleetEntry): Node {
  return {
    name,
    status: "offline",
    state: stateOf(state),
    runtime: "unknown",
    labels: {},
    tags: [],
    slots: 0,
    running: 0,
    cpus: 0,
    memory_bytes: 0,
    offered: { cpus: 0, memory_bytes: 0 },
    declared: { cpus: 0, memory_bytes: 0 },
    mounts: [],
    networks: [],
    engine: null,
    script_tools: null,
    unavailable: "it has not registered yet",
    tenants: bounds?.tenants ?? null,
    clipped: [],
    bounds,
    account,
    registered_at: null,
    last_seen_at: null,
  };
}

function roomOf({ nanoCpus, memoryBytes }: Room) {
  return { cpus: cpusOf(nanoCpus), memory_bytes: memoryBytes };
}

/** Of what is listed nothing is removed. */
function stateOf(state: FleetEntry["state"]): Node["state"] {
  return state === "removed" ? "cordoned" : state;
}
