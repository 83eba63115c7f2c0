import type { PendingReason } from "../../../schemas/api/pendingReason.ts";
import type { Task } from "../../../schemas/api/task.ts";
import { explainPending } from "../../domain/scheduling/explainPending.ts";
import { NodeTable } from "../../domain/scheduling/nodeTable.ts";
import { Rooms } from "../../domain/scheduling/rooms.ts";
import type { SchedulingIndex } from "../../domain/scheduling/schedulingIndex.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { NodeDirectory } from "../../kernel/nodes/nodeDirectory.ts";
import { nodeViews } from "../../kernel/nodes/nodeViews.ts";

/** Every submit asks why its task is pending; what the nodes have room for is looked at no more often than this. */
const LOOK_MS = 100;

/** Says why tasks are pending, from what this process knows of nodes and tasks. */
export function pendingReasons(ports: {
  readonly index: SchedulingIndex;
  readonly nodes: Pick<NodeDirectory, "registrations" | "isOnline">;
  readonly clock: Clock;
}): (task: Pick<Task, "id" | "tenant" | "spec" | "not_before">) => PendingReason | null {
  const { index, clock } = ports;
  const isOnline = (node: string) => ports.nodes.isOnline(node);
  const nodes = new NodeTable();
  let rooms: Rooms | null = null;
  let lookedAt = 0;

  function roomsNow(): Rooms {
    const now = clock.monotonicMs();
    if (rooms !== null && now - lookedAt < LOOK_MS) return rooms;
    nodes.update(nodeViews(ports.nodes));
    rooms = new Rooms(nodes, { isOnline, useOf: (node) => index.useOf(node) });
    lookedAt = now;
    return rooms;
  }

  return ({ id, tenant, spec, not_before }) => {
    const waiting = index.waiting(id);
    const wish = waiting?.wish ?? index.wishes.read(tenant, spec);
    const notBefore = not_before === null ? 0 : Date.parse(not_before);
    const input = { now: clock.now(), rooms: roomsNow(), nodes, isOnline, index };
    const reason = explainPending({ id, wish, notBefore }, input);
    if (reason === null) return null;
    const ahead = waiting === null ? null : index.countBefore(waiting);
    return { ...reason, nodes: [...reason.nodes], ahead };
  };
}
