/**
 * One look of the scheduler at all that waits: which tasks go to which nodes now. Pure: the same input, the same
 * answer; it changes nothing of its input.
 */
import { keepsNode, turnOf } from "./ageing.ts";
import type { NodeTable } from "./nodeTable.ts";
import type { PassMemory } from "./passMemory.ts";
import { Rooms } from "./rooms.ts";
import type { SchedulingIndex, TenantShare } from "./schedulingIndex.ts";
import type { Waiting } from "./waitingQueue.ts";

export interface PassInput {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly nodes: NodeTable;
  isOnline(node: string): boolean;
  readonly index: Pick<SchedulingIndex, "tenants" | "useOf" | "onNodes" | "pointMs" | "gains">;
  /** Saves looks and decides nothing: with a new one the answer is the same. */
  readonly memory: PassMemory;
  /** At most this many placements. */
  readonly placementsMax: number;
}

export interface PassResult {
  /** In the order in which they were decided. */
  readonly placements: readonly { readonly task: string; readonly node: string }[];
  /** Nodes kept for a task that has waited too long for so much room, by node. */
  readonly held: ReadonlyMap<string, string>;
}

/**
 * Places tasks until nothing more fits.
 *
 * - Between tenants the least {@link turnOf} goes first: slots in use, less what its next task has waited. Equals go
 *   by who was served longer ago, then by level, then by name.
 * - Within a tenant tasks go by level ({@link levelOf}): priority and waiting. One that no node takes now is passed
 *   by, and all of its kind and size with it.
 * - A task whose concurrency key is at its own limit waits, and those behind it with the same key wait with it, so
 *   that a strict limit is not starved by generous ones.
 * - A task that has long waited for more room than any node has at once gets a node kept for it ({@link keepsNode}).
 * - INV-ROOM: what tasks on a node declare, slots, CPUs and memory, is never more than the node offers.
 */
export function schedulingPass(input: PassInput): PassResult {
  const pass = new Pass(input);
  const turns = new Turns();
  for (const share of input.index.tenants()) {
    const cursor = new Cursor(share, pass);
    if (cursor.next()) turns.add(cursor);
  }
  while (pass.placements.length < input.placementsMax && pass.rooms.openCount > 0) {
    const cursor = turns.takeFirst();
    if (cursor === undefined) break;
    pass.tryToPlace(cursor);
    if (cursor.next()) turns.add(cursor);
  }
  input.memory.end(pass.held.keys());
  return { placements: pass.placements, held: pass.held };
}

/** What a pass has found out and given away so far. */
class Pass {
  readonly input: PassInput;
  readonly rooms: Rooms;
  readonly placements: { task: string; node: string }[] = [];
  readonly held = new Map<string, string>();
  readonly #withKey = new Map<string, number>();
  readonly #keysInWait = new Set<string>();

  constructor(input: PassInput) {
    this.input = input;
    this.rooms = new Rooms(input.nodes, {
      isOnline: (node) => input.isOnline(node),
      useOf: (node) => input.index.useOf(node),
    });
    const { nodes, memory, index } = input;
    memory.begin({ nodes, gains: index.gains, online: this.rooms.online });
  }

  /** False for what need not be tried in this pass. */
  isCandidate({ wish, notBefore, startsUntil }: Waiting): boolean {
    const { now } = this.input;
    if (notBefore > now || (startsUntil !== null && startsUntil <= now)) return false;
    if (!this.#mayUseKey(wish)) return false;
    // What is as large as one that was refused just now is refused as well.
    return !this.input.memory.isRefused(wish.kind, wish.needs);
  }

  tryToPlace(cursor: Cursor): void {
    const { task, wish } = cursor.head;
    const { nodes, index, now, memory } = this.input;
    const position = this.rooms.best(memory.whereToLook(wish.kind, wish.needs), wish.needs);
    if (position < 0) {
      this.#refuse(cursor);
      return;
    }
    this.rooms.take(position, wish.needs);
    this.placements.push({ task, node: nodes.views[position]!.node });
    cursor.served(now);
    if (wish.concurrency === null) return;
    const { id } = wish.concurrency;
    this.#withKey.set(id, (this.#withKey.get(id) ?? index.onNodes(id)) + 1);
  }

  #mayUseKey({ concurrency }: Waiting["wish"]): boolean {
    if (concurrency === null) return true;
    const { id, limit } = concurrency;
    if (this.#keysInWait.has(id)) return false;
    if ((this.#withKey.get(id) ?? this.input.index.onNodes(id)) < limit) return true;
    this.#keysInWait.add(id);
    return false;
  }

  #refuse(cursor: Cursor): void {
    const { task, wish, waitsSince } = cursor.head;
    const { nodes, now, index, memory } = this.input;
    memory.refuse(wish.kind, wish.needs);
    // One a tenant: a long queue of large tasks must not empty all nodes at once.
    if (cursor.holds || !keepsNode(now - waitsSince, index.pointMs)) return;
    const isHeld = (position: number) => this.held.has(nodes.views[position]!.node);
    const position = this.rooms.emptiest(wish.kind, wish.needs, isHeld);
    if (position < 0) return;
    cursor.holds = true;
    this.rooms.close(position);
    this.held.set(nodes.views[position]!.node, task);
  }
}

/** A walk along one tenant's queue, standing at the next task that may be placed. */
class Cursor {
  head!: Waiting;
  /** It has a node kept in this pass. */
  holds = false;
  turn = 0;
  readonly tenant: string;
  readonly #pass: Pass;
  readonly #walk: ReturnType<TenantShare["queue"]["walk"]>;
  #slots: number;
  #servedAt: number;

  constructor(share: TenantShare, pass: Pass) {
    this.tenant = share.tenant;
    this.#pass = pass;
    this.#walk = share.queue.walk();
    this.#slots = share.slots;
    this.#servedAt = share.servedAt;
  }

  served(now: number): void {
    this.#slots++;
    this.#servedAt = now;
  }

  /** Goes to the next candidate; false at the end. */
  next(): boolean {
    for (;;) {
      const waiting = this.#walk.next();
      if (waiting === undefined) return false;
      if (!this.#pass.isCandidate(waiting)) continue;
      const { now, index } = this.#pass.input;
      this.head = waiting;
      const unservedSince = Math.max(this.head.waitsSince, this.#servedAt);
      this.turn = turnOf(this.#slots, now - unservedSince, index.pointMs);
      return true;
    }
  }

  isBefore(other: Cursor): boolean {
    if (this.turn !== other.turn) return this.turn < other.turn;
    if (this.#servedAt !== other.#servedAt) return this.#servedAt < other.#servedAt;
    if (this.head.level !== other.head.level) return this.head.level < other.head.level;
    return this.tenant < other.tenant;
  }
}

/** Cursors in the order of their turns. */
class Turns {
  /** The first is the last of the list: taking it moves nothing. */
  readonly #cursors: Cursor[] = [];

  takeFirst(): Cursor | undefined {
    return this.#cursors.pop();
  }

  add(cursor: Cursor): void {
    let low = 0;
    let high = this.#cursors.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (cursor.isBefore(this.#cursors[middle]!)) low = middle + 1;
      else high = middle;
    }
    this.#cursors.splice(low, 0, cursor);
  }
}
