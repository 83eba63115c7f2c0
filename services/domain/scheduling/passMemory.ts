import type { NodeTable } from "./nodeTable.ts";
import type { Kind, Room } from "./placement.ts";
import type { RoomGains } from "./roomGains.ts";

/** A size that fitted nowhere: in which pass, and how many gains of room there had been. */
interface Refused {
  readonly needs: Room;
  readonly pass: number;
  readonly gains: number;
}

/** Beyond this all is forgotten, and found out again. */
const KINDS_MAX = 20_000;

/**
 * What earlier passes found out: it saves looks and changes no decision. Kept beside the index, one a scheduler.
 *
 * Room only ever shrinks but for the gains that are counted: attempts that end or come back, nodes that are heard of
 * again, and nodes that were kept for one task and are no more.
 */
export class PassMemory {
  #version = -1;
  readonly #refused = new Map<Kind, Refused[]>();
  #online: Uint8Array = new Uint8Array();
  #held: Iterable<string> = [];
  #nodes: NodeTable | null = null;
  #pass = 0;
  #gains = 0;
  /** By position of the node: the count at its last gain. */
  #gainedAt = new Float64Array();
  /** Of this pass: the positions that gained room since a count. */
  readonly #gained = new Map<number, readonly number[]>();

  /** @param online by position of the node */
  begin(pass: { readonly nodes: NodeTable; readonly gains: RoomGains; readonly online: Uint8Array }): void {
    const { nodes, gains, online } = pass;
    const { views } = nodes;
    if (nodes.version !== this.#version || this.#refused.size > KINDS_MAX) this.#refused.clear();
    if (nodes.version === this.#version) {
      for (const node of this.#held) gains.add(node);
      for (let position = 0; position < views.length; position++)
        if (online[position]! > this.#online[position]!) gains.add(views[position]!.node);
    } else this.#gainedAt = new Float64Array(views.length);
    for (let position = 0; position < views.length; position++)
      this.#gainedAt[position] = gains.last(views[position]!.node);
    this.#version = nodes.version;
    this.#nodes = nodes;
    this.#online = online;
    this.#held = [];
    this.#gained.clear();
    this.#gains = gains.count;
    this.#pass++;
  }

  /** The only positions where a task may have room now, in their order; all that are eligible when nothing is known. */
  whereToLook(kind: Kind, needs: Room): readonly number[] {
    const eligible = this.#nodes!.eligible(kind);
    let before = -1;
    for (const refused of this.#refused.get(kind) ?? [])
      if (refused.gains > before && isNoSmaller(needs, refused.needs)) before = refused.gains;
    if (before < 0) return eligible;
    const gained = this.#since(before);
    if (gained.length >= eligible.length) return eligible;
    return gained.filter((position) => isIn(eligible, position));
  }

  refuse(kind: Kind, needs: Room): void {
    const kept = this.#refused.get(kind)?.filter((one) => !isNoSmaller(one.needs, needs)) ?? [];
    kept.push({ needs, pass: this.#pass, gains: this.#gains });
    this.#refused.set(kind, kept);
  }

  /** True when as much or less was refused in this very pass. */
  isRefused(kind: Kind, needs: Room): boolean {
    const refused = this.#refused.get(kind);
    if (refused === undefined) return false;
    for (const one of refused) if (one.pass === this.#pass && isNoSmaller(needs, one.needs)) return true;
    return false;
  }

  end(held: Iterable<string>): void {
    this.#held = held;
  }

  #since(gains: number): readonly number[] {
    const known = this.#gained.get(gains);
    if (known !== undefined) return known;
    const positions: number[] = [];
    for (let position = 0; position < this.#gainedAt.length; position++)
      if (this.#gainedAt[position]! > gains) positions.push(position);
    this.#gained.set(gains, positions);
    return positions;
  }
}

function isNoSmaller(one: Room, other: Room): boolean {
  return one.nanoCpus >= other.nanoCpus && one.memoryBytes >= other.memoryBytes;
}

/** @param list ascending */
function isIn(list: readonly number[], wanted: number): boolean {
  let low = 0;
  let high = list.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const found = list[middle]!;
    if (found === wanted) return true;
    if (found < wanted) low = middle + 1;
    else high = middle - 1;
  }
  return false;
}
