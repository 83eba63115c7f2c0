import type { PendingReason } from "../../../schemas/api/pendingReason.ts";

/** So many nodes are told of; `-o json` has more. */
const NODES_MAX = 8;

/** Why a task waits, as lines of its fields. Pure. */
export function pendingLines(reason: PendingReason | null): (readonly [string, string])[] {
  if (reason === null) return [];
  const { message, nodes, more_nodes, ahead } = reason;
  const lines: (readonly [string, string])[] = [["pending", message]];
  // One node is in the sentence already.
  if (nodes.length > 1) {
    const shown = nodes.slice(0, NODES_MAX);
    for (const one of shown) lines.push(["", `${one.node} (${one.rule}): ${one.message}`]);
    const more = nodes.length - shown.length + more_nodes;
    if (more > 0) lines.push(["", `and ${more} more`]);
  }
  if (ahead !== null && ahead > 0) lines.push(["ahead", `${ahead} of the tenant's tasks go before it`]);
  return lines;
}
