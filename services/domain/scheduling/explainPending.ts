/** Why a task waits, for whoever asks. Pure: what is there now is an argument. */
import type { NodeTable } from "./nodeTable.ts";
import type { Kind, Wish } from "./placement.ts";
import type { Rooms } from "./rooms.ts";
import { isUsableBy, kindMisfit, type Misfit, type Rule, roomMisfit, rules, sizeMisfit } from "./rules.ts";
import type { SchedulingIndex } from "./schedulingIndex.ts";

/** Structured for programs, with a sentence for people. */
export interface PendingReason {
  readonly message: string;
  /** The nodes looked at, those first that come nearest to taking it, at most {@link NODES_SHOWN_MAX}. */
  readonly nodes: readonly Misfit[];
  /** Further nodes that do not take it either. */
  readonly more_nodes: number;
}

export interface ExplainInput {
  readonly now: number;
  readonly nodes: NodeTable;
  readonly rooms: Rooms;
  isOnline(node: string): boolean;
  readonly index: Pick<SchedulingIndex, "useOf" | "onNodes" | "held" | "waiting" | "isBehindItsKey">;
}

export const NODES_SHOWN_MAX = 20;
/** So few are told one by one in the sentence. */
const NODES_TOLD_MAX = 3;

/**
 * Why no node has the task yet; null when one would take it now.
 *
 * Nodes that its tenant may not use are left out: nobody learns the names of another tenant's nodes.
 * @param of.id the task's own, where it is known: a node kept for it is not kept from it
 * @param of.notBefore when its next try may be, in milliseconds since 1970
 */
export function explainPending(
  of: { readonly id: string; readonly wish: Wish; readonly notBefore: number },
  input: ExplainInput,
): PendingReason | null {
  const { wish } = of;
  if (of.notBefore > input.now) return plain("it waits before its next try (not_before)");
  const full = keyIsFull(wish, input);
  if (full !== null) return plain(full);
  const position = input.rooms.best(input.nodes.eligible(wish.kind), wish.needs);
  const heldFor = position < 0 ? undefined : input.index.held.get(input.nodes.views[position]!.node);
  if (position >= 0 && (heldFor === undefined || heldFor === of.id)) return behindKey(of.id, input);
  return ofNodes(of.id, wish, input);
}

function keyIsFull({ concurrency }: Wish, { index }: ExplainInput): string | null {
  if (concurrency === null) return null;
  const { id, key, limit } = concurrency;
  const count = index.onNodes(id);
  if (count < limit) return null;
  const tasks = count === 1 ? "1 task is" : `${count} tasks are`;
  return `${tasks} on nodes with concurrency_key ${JSON.stringify(key)}; its concurrency_limit is ${limit}`;
}

function behindKey(task: string, { index }: ExplainInput): PendingReason | null {
  const waiting = index.waiting(task);
  const key = waiting?.wish.concurrency;
  if (!waiting || !key || index.onNodes(key.id) === 0 || !index.isBehindItsKey(waiting)) return null;
  return plain(`a task before it with concurrency_key ${JSON.stringify(key.key)} waits for its own limit`);
}

function plain(message: string): PendingReason {
  return { message, nodes: [], more_nodes: 0 };
}

function ofNodes(task: string, wish: Wish, input: ExplainInput): PendingReason {
  const { nodes } = input;
  const usable = nodes.views.filter((view) => isUsableBy(wish.kind.tenant, view));
  if (usable.length === 0) return plain(nothingUsable(nodes, wish.kind));
  const named = wish.kind.placement.selector.node;
  const looked = named === null ? usable : usable.filter(({ node }) => node === named);
  if (looked.length === 0) return plain(`no node ${named} that the tenant may use is registered`);
  const misfits = looked
    .map((view) => misfitOf(task, wish, { ...input, view }))
    // A node that would take it now and is not the best is none that keeps it waiting.
    .filter((misfit) => misfit !== null)
    .sort((a, b) => rules.indexOf(b.rule) - rules.indexOf(a.rule));
  const shown = misfits.slice(0, NODES_SHOWN_MAX);
  return { message: sentence(misfits), nodes: shown, more_nodes: misfits.length - shown.length };
}

function nothingUsable(nodes: NodeTable, { tenant }: Kind): string {
  if (nodes.views.length === 0) return "no node is registered";
  return `no node that tenant ${tenant} may use is registered`;
}

function misfitOf(
  task: string,
  wish: Wish,
  input: ExplainInput & { readonly view: NodeTable["views"][number] },
): Misfit | null {
  const { view, index } = input;
  const { node } = view;
  const lasting = kindMisfit(wish.kind, view) ?? sizeMisfit(wish.needs, view);
  if (lasting !== null) return lasting;
  if (!input.isOnline(node)) return { node, rule: "offline", message: "it is offline" };
  const room = roomMisfit(wish.needs, view, index.useOf(node));
  if (room !== null) return room;
  const heldFor = index.held.get(node);
  if (heldFor === undefined || heldFor === task) return null;
  return { node, rule: "held", message: "it is kept for a task that has waited longer for much room" };
}

const TOLD: Readonly<Record<Rule, string>> = {
  tenant: "not to be used",
  node: "another is named",
  labels: "label missing",
  tags: "tag missing",
  network: "network not offered",
  mounts: "mount not offered",
  script: "script or tool not offered",
  unavailable: "taking no work",
  resources: "too small",
  offline: "offline",
  held: "kept for a task that has waited longer",
  slots: "no free slot",
  cpus: "CPUs given away",
  memory: "memory given away",
};

function sentence(misfits: readonly Misfit[]): string {
  if (misfits.length <= NODES_TOLD_MAX)
    return misfits.map(({ node, message }) => `node ${node}: ${message}`).join("; ");
  const counts = new Map<Rule, number>();
  for (const { rule } of misfits) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  const parts = [...counts].map(([rule, count]) => `${TOLD[rule]} ${count}`);
  return `none of ${misfits.length} nodes takes it now (${parts.join(", ")})`;
}
