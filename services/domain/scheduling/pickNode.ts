import { type Misfit, misfit, type NodeView, type Placement } from "./placement.ts";

/**
 * The node that gets the task: of those that fit, the one with the largest share of free slots; ties go by
 * name, so that the same views give the same answer.
 * @returns the node's name, or each node's first unmet rule
 */
export function pickNode(
  placement: Placement,
  views: readonly NodeView[],
): { readonly node: string } | readonly Misfit[] {
  let best: NodeView | null = null;
  const misfits: Misfit[] = [];
  for (const view of views) {
    const problem = misfit(placement, view);
    if (problem) misfits.push(problem);
    else if (best === null || isBetter(view, best)) best = view;
  }
  return best === null ? misfits : { node: best.node };
}

function isBetter(one: NodeView, other: NodeView): boolean {
  const difference = one.used / one.slots - other.used / other.slots;
  return difference < 0 || (difference === 0 && one.node < other.node);
}

/** Why a task stays pending, as one sentence for people; null when a node would take it now. */
export function explainPending(placement: Placement, views: readonly NodeView[]): string | null {
  const picked = pickNode(placement, views);
  if ("node" in picked) return null;
  if (views.length === 0) return "no node is registered";
  return picked.map((one) => `node ${one.node}: ${one.message}`).join("; ");
}
