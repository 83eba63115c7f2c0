import type { MountOffer } from "./mountRule.ts";
import { nanoCpus, type Room } from "./placement.ts";

/** A node as the rules look at it. What changes with each task (use, liveness) is not here. */
export interface NodeView extends MountOffer {
  readonly node: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly tags: readonly string[];
  /** Whose tasks it runs; null: anybody's. */
  readonly tenants: readonly string[] | null;
  readonly networks: readonly string[];
  /** Of the machine: one task may have no more. */
  readonly cpus: number;
  readonly memory_bytes: number;
  /** What its tasks may declare together. */
  readonly offers: Room;
  /** Tools that its compartment offers; null or missing: it runs no scripts. */
  readonly script_tools?: readonly string[] | null | undefined;
  /** Why operators let it take nothing now; null when they do. */
  readonly closed?: string | null | undefined;
  /** Why it takes no work now, in the node's words; a script needs no engine. */
  readonly unavailable: string | null;
}

/**
 * What the tasks on a node may declare together.
 *
 * CPUs may be overcommitted, memory never: too little CPU time makes everything slower, too little memory kills.
 * A node that does not say how many CPUs it offers offers its machine's, and at least one a slot, so that its slots
 * decide how many tasks of the default size it runs.
 */
export function offersOf(node: {
  readonly slots: number;
  readonly cpus: number;
  readonly memory_bytes: number;
  readonly offered_cpus?: number | null | undefined;
  readonly offered_memory_bytes?: number | null | undefined;
}): Room {
  return {
    slots: node.slots,
    nanoCpus: nanoCpus(node.offered_cpus ?? Math.max(node.cpus, node.slots)),
    memoryBytes: Math.min(node.offered_memory_bytes ?? node.memory_bytes, node.memory_bytes),
  };
}
