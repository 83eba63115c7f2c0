import type { NodeTable } from "./nodeTable.ts";
import type { Kind, Room } from "./placement.ts";
import { sizeMisfit } from "./rules.ts";

/** Room on the nodes during one pass: what is free now, less what the pass has given away. By position of the node. */
export class Rooms {
  readonly #nodes: NodeTable;
  readonly #slots: Float64Array;
  readonly #nanoCpus: Float64Array;
  readonly #memoryBytes: Float64Array;
  /** Share in use of what is scarcest there. */
  readonly #load: Float64Array;
  /** 1 where a task may be put: online, a slot free, kept for nobody. */
  readonly #open: Uint8Array;
  /** 1 where a node is online. */
  readonly online: Uint8Array;
  #openCount = 0;

  constructor(nodes: NodeTable, now: { isOnline(node: string): boolean; useOf(node: string): Room }) {
    const { length } = nodes.views;
    this.#nodes = nodes;
    this.#slots = new Float64Array(length);
    this.#nanoCpus = new Float64Array(length);
    this.#memoryBytes = new Float64Array(length);
    this.#load = new Float64Array(length);
    this.#open = new Uint8Array(length);
    this.online = new Uint8Array(length);
    for (let position = 0; position < length; position++) {
      const { node, offers } = nodes.views[position]!;
      const used = now.useOf(node);
      this.#slots[position] = offers.slots - used.slots;
      this.#nanoCpus[position] = offers.nanoCpus - used.nanoCpus;
      this.#memoryBytes[position] = offers.memoryBytes - used.memoryBytes;
      this.#load[position] = this.#loadOf(position);
      if (!now.isOnline(node)) continue;
      this.online[position] = 1;
      if (this.#slots[position]! < 1) continue;
      this.#open[position] = 1;
      this.#openCount++;
    }
  }

  /** Nodes that could take anything at all. */
  get openCount(): number {
    return this.#openCount;
  }

  /**
   * The least loaded node that has room, the first by name of equals; -1 when none has.
   * @param eligible positions in the order of names
   */
  best(eligible: readonly number[], needs: Room): number {
    let best = -1;
    let least = Number.POSITIVE_INFINITY;
    for (const position of eligible) {
      if (this.#open[position] === 0 || this.#load[position]! >= least) continue;
      if (needs.nanoCpus > this.#nanoCpus[position]! || needs.memoryBytes > this.#memoryBytes[position]!)
        continue;
      // Machines are larger than what is free on them, so this is asked last.
      if (sizeMisfit(needs, this.#nodes.views[position]!) !== null) continue;
      best = position;
      least = this.#load[position]!;
      // Nothing is less loaded than an empty node.
      if (least === 0) break;
    }
    return best;
  }

  take(position: number, needs: Room): void {
    this.#slots[position]! -= needs.slots;
    this.#nanoCpus[position]! -= needs.nanoCpus;
    this.#memoryBytes[position]! -= needs.memoryBytes;
    this.#load[position] = this.#loadOf(position);
    if (this.#slots[position]! < 1) this.close(position);
  }

  /** Nothing more is put there in this pass. */
  close(position: number): void {
    if (this.#open[position] === 1) this.#openCount--;
    this.#open[position] = 0;
  }

  /** The node that would have room soonest if nothing more were put there; -1 when none ever would. */
  emptiest(kind: Kind, needs: Room, isHeld: (position: number) => boolean): number {
    let best = -1;
    for (const position of this.#nodes.eligible(kind)) {
      if (this.online[position] === 0 || isHeld(position)) continue;
      if (best >= 0 && this.#load[position]! >= this.#load[best]!) continue;
      if (sizeMisfit(needs, this.#nodes.views[position]!) === null) best = position;
    }
    return best;
  }

  #loadOf(position: number): number {
    const { offers } = this.#nodes.views[position]!;
    return Math.max(
      shareUsed(this.#slots[position]!, offers.slots),
      shareUsed(this.#nanoCpus[position]!, offers.nanoCpus),
      shareUsed(this.#memoryBytes[position]!, offers.memoryBytes),
    );
  }
}

function shareUsed(left: number, of: number): number {
  return of > 0 ? 1 - left / of : 1;
}
