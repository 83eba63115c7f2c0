/**
 * What waits and what is placed, as the scheduling pass looks at it: kept up to date change by change, so that a
 * pass costs what it decides and not what there is. Pure but for its own memory.
 */
import type { LiveTask } from "../live/liveTasks.ts";
import { startDeadline } from "../task/startDeadline.ts";
import { isPlaced } from "../task/taskState.ts";
import { levelOf, waitsSince } from "./ageing.ts";
import { type Room, type Wish, WishReader } from "./placement.ts";
import { RoomGains } from "./roomGains.ts";
import { type Waiting, WaitingQueue } from "./waitingQueue.ts";

/** A tenant that has something waiting or placed. */
export interface TenantShare {
  readonly tenant: string;
  readonly queue: WaitingQueue;
  /** Slots in use, those given away included. */
  readonly slots: number;
  /** When it was last given a slot, in milliseconds since 1970; 0 for never that is known. */
  readonly servedAt: number;
}

/** One live task: waits, or is on a node. `reserved`: placed by a pass, and the fold does not show it yet. */
interface Entry {
  readonly wish: Wish;
  readonly waiting: Waiting | null;
  readonly node: string | null;
  readonly reserved: boolean;
  /** Grows with each task that is new here. */
  readonly order: number;
}

type Counted<T> = { -readonly [K in keyof T]: T[K] };
const nothing: Room = { slots: 0, nanoCpus: 0, memoryBytes: 0 };

export class SchedulingIndex {
  readonly #pointMs: number;
  readonly #wishes = new WishReader();
  readonly #entries = new Map<string, Entry>();
  readonly #tenants = new Map<string, Counted<TenantShare>>();
  readonly #use = new Map<string, Counted<Room>>();
  /** Tasks on nodes by concurrency key. */
  readonly #onNodes = new Map<string, number>();
  #reserved = 0;
  #newest = 0;
  /** Where attempts ended or came back. */
  readonly gains = new RoomGains();
  /** Nodes kept for a task that has waited longer than others, by node: left by the last pass. */
  held: ReadonlyMap<string, string> = new Map();

  /** @param pointMs waiting that weighs as much as one point of priority */
  constructor(pointMs: number) {
    this.#pointMs = pointMs;
  }

  get pointMs(): number {
    return this.#pointMs;
  }

  get wishes(): WishReader {
    return this.#wishes;
  }

  /** Placements that the fold does not show yet. */
  get reserved(): number {
    return this.#reserved;
  }

  tenants(): IterableIterator<TenantShare> {
    return this.#tenants.values();
  }

  /** What the tasks on a node declare together. */
  useOf(node: string): Room {
    return this.#use.get(node) ?? nothing;
  }

  /** Tasks on nodes with this key of a tenant. @param id as in {@link Wish} */
  onNodes(id: string): number {
    return this.#onNodes.get(id) ?? 0;
  }

  waiting(task: string): Waiting | null {
    return this.#entries.get(task)?.waiting ?? null;
  }

  /** How many tasks of its tenant go before it. */
  countBefore(waiting: Waiting): number {
    return this.#tenants.get(waiting.tenant)?.queue.countBefore(waiting) ?? 0;
  }

  /** True when a task that goes before it waits with the same concurrency key. */
  isBehindItsKey(waiting: Waiting): boolean {
    const id = waiting.wish.concurrency?.id;
    if (id === undefined) return false;
    const walk = this.#tenants.get(waiting.tenant)?.queue.walk();
    for (let other = walk?.next(); other !== undefined && other !== waiting; other = walk?.next())
      if (other.wish.concurrency?.id === id) return true;
    return false;
  }

  /** The fold has this of a task now; undefined when it is over. What the fold shows ends a reservation. */
  changed(task: string, live: LiveTask | undefined): void {
    const before = this.#entries.get(task);
    if (live === undefined) {
      this.#put(task, before, null);
      return;
    }
    const wish = before?.wish ?? this.#wishes.readText(live.tenant, live.spec);
    const node = isPlaced(live.state) ? live.state.node : null;
    if (node !== null && before?.node === node) {
      if (!before.reserved) return;
      // Its room is counted already.
      this.#reserved--;
      this.#entries.set(task, { ...before, waiting: null, reserved: false });
      return;
    }
    const order = before?.order ?? ++this.#newest;
    const waiting = node === null ? this.#waitingOf(live, { wish, order }) : null;
    this.#put(task, before, { wish, waiting, node, reserved: false, order });
  }

  /** The task is on its way to the node: its room is taken from now on. @param at milliseconds since 1970 */
  reserve(task: string, node: string, at: number): void {
    const before = this.#entries.get(task);
    if (!before?.waiting) return;
    this.#put(task, before, { ...before, node, reserved: true });
    this.#tenant(before.wish.kind.tenant).servedAt = at;
  }

  /** It was not placed after all: it waits as before. */
  release(task: string): void {
    const before = this.#entries.get(task);
    if (before?.reserved) this.#put(task, before, { ...before, node: null, reserved: false });
  }

  #waitingOf(live: LiveTask, { wish, order }: Pick<Entry, "wish" | "order">): Waiting | null {
    const { tenant, task, state, since } = live;
    if (state.status !== "pending") return null;
    const from = waitsSince(state, since);
    return {
      tenant,
      task,
      wish,
      waitsSince: from,
      level: levelOf(from, wish.priority, this.#pointMs),
      order,
      notBefore: state.not_before ?? 0,
      startsUntil: startDeadline(state),
    };
  }

  #put(task: string, before: Entry | undefined, after: Entry | null): void {
    if (before) this.#count(before, -1);
    if (after) this.#count(after, 1);
    if (after) this.#entries.set(task, after);
    else this.#entries.delete(task);
    const tenant = (after ?? before)?.wish.kind.tenant;
    const share = tenant === undefined ? undefined : this.#tenants.get(tenant);
    if (share && share.slots === 0 && share.queue.size === 0) this.#tenants.delete(share.tenant);
  }

  #count({ wish, waiting, node, reserved }: Entry, sign: 1 | -1): void {
    const share = this.#tenant(wish.kind.tenant);
    if (node === null) {
      if (waiting !== null) share.queue[sign > 0 ? "add" : "remove"](waiting);
      return;
    }
    if (reserved) this.#reserved += sign;
    share.slots += sign;
    if (sign < 0) this.gains.add(node);
    const use = this.#use.get(node) ?? { ...nothing };
    use.slots += sign * wish.needs.slots;
    use.nanoCpus += sign * wish.needs.nanoCpus;
    use.memoryBytes += sign * wish.needs.memoryBytes;
    if (use.slots === 0) this.#use.delete(node);
    else this.#use.set(node, use);
    if (wish.concurrency === null) return;
    const { id } = wish.concurrency;
    const count = this.onNodes(id) + sign;
    if (count === 0) this.#onNodes.delete(id);
    else this.#onNodes.set(id, count);
  }

  #tenant(tenant: string): Counted<TenantShare> {
    const known = this.#tenants.get(tenant);
    if (known) return known;
    const share = { tenant, queue: new WaitingQueue(), slots: 0, servedAt: 0 };
    this.#tenants.set(tenant, share);
    return share;
  }
}
