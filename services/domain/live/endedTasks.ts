/**
 * The fold of a ledger into the tasks that are over and still have something to come: output that goes to sinks,
 * and erasure when their time is up. A task that ended with neither is not kept, so finished tasks cost nothing.
 */
import { type EndedTask, isEnded, isLive } from "../task/taskState.ts";
import { DueOrder } from "./dueOrder.ts";
import type { FoldedEvent } from "./liveTasks.ts";

/** All that is remembered of one. */
export interface RememberedTask {
  readonly tenant: string;
  readonly task: string;
  /** Sequence of its newest event. */
  readonly seq: number;
  readonly status: EndedTask["status"];
  /** When its end was written, in milliseconds since 1970. */
  readonly endedAt: number;
  /** When it is to be erased, in milliseconds since 1970; null for never. */
  readonly expiresAt: number | null;
  /** How many sinks its output goes to. */
  readonly sinks: number;
  readonly settledSinks: readonly string[];
}

/**
 * The fold, JSON-safe and small: a list a column, ids and tenants each once, because there may be hundreds of
 * thousands and a takeover reads them all.
 */
export interface EndedSnapshot {
  readonly tenants: readonly string[];
  readonly statuses: readonly EndedTask["status"][];
  /** Ids, with a space between. */
  readonly tasks: string;
  readonly tenant: readonly number[];
  readonly status: readonly number[];
  readonly seq: readonly number[];
  readonly endedAt: readonly number[];
  readonly expiresAt: readonly (number | null)[];
  /** By position: how many sinks and which of them are settled, for tasks that have any. */
  readonly sinks: Readonly<Record<number, readonly [count: number, settled: readonly string[]]>>;
}

export class EndedTasks {
  /** In order of ending: a Map keeps insertion order. */
  readonly #kept = new Map<string, RememberedTask>();
  readonly #unsettled = new Set<string>();
  /** Those whose sinks are settled, by the time of their erasure. */
  readonly #expiring = new DueOrder<RememberedTask>();
  #position = 0;
  /** While what was before {@link awaiting}'s position is on its way: tasks of which something newer is known. */
  #touched: Set<string> | null = null;

  /**
   * A fold that is told of what came after a position at once, and of what was before it later, by {@link merge} or
   * {@link replay}: there may be very many, and nothing but sinks and erasure waits for them.
   */
  static awaiting(position: number): EndedTasks {
    const fold = new EndedTasks();
    fold.#position = position;
    fold.#touched = new Set();
    return fold;
  }

  /** False while what was before is on its way. */
  get isWhole(): boolean {
    return this.#touched === null;
  }

  get size(): number {
    return this.#kept.size;
  }

  get(task: string): RememberedTask | undefined {
    return this.#kept.get(task);
  }

  /** Folds one event; those folded already are skipped. */
  apply(event: FoldedEvent): void {
    if (event.seq <= this.#position) return;
    this.#position = event.seq;
    this.#touched?.add(event.task);
    this.#fold(event);
  }

  /** Folds an event of before the awaited position. */
  replay(event: FoldedEvent): void {
    if (!this.#touched?.has(event.task)) this.#fold(event);
  }

  /** All that was before the awaited position is there. */
  becomeWhole(): void {
    this.#touched = null;
  }

  #fold(event: FoldedEvent): void {
    const { tenant, task, seq, at, state } = event;
    if (isLive(state)) return;
    if (!isEnded(state)) {
      this.#forget(task);
      return;
    }
    this.#keep({
      tenant,
      task,
      seq,
      status: state.status,
      endedAt: this.#kept.get(task)?.endedAt ?? at,
      expiresAt: state.due_at,
      sinks: state.limits.sinks,
      settledSinks: state.settled_sinks,
    });
  }

  /** Tasks whose output has not gone to all of its sinks yet, in order of ending. */
  *unsettled(): IterableIterator<RememberedTask> {
    for (const task of this.#unsettled) yield this.#kept.get(task)!;
  }

  get unsettledCount(): number {
    return this.#unsettled.size;
  }

  /**
   * Tasks to erase at `now`: their time is up and their sinks are settled. In no order; costs what it yields.
   * @param now milliseconds since 1970
   */
  *due(now: number): IterableIterator<RememberedTask> {
    for (const one of this.#expiring.until(now)) if (this.#isCurrent(one)) yield one;
  }

  snapshot(): EndedSnapshot {
    const tenants = new Index<string>();
    const statuses = new Index<EndedTask["status"]>();
    const kept = [...this.#kept.values()];
    const sinks: Record<number, readonly [number, readonly string[]]> = {};
    for (const [index, one] of kept.entries())
      if (one.sinks > 0) sinks[index] = [one.sinks, one.settledSinks];
    return {
      tasks: kept.map((one) => one.task).join(" "),
      tenant: kept.map((one) => tenants.of(one.tenant)),
      status: kept.map((one) => statuses.of(one.status)),
      seq: kept.map((one) => one.seq),
      endedAt: kept.map((one) => one.endedAt),
      expiresAt: kept.map((one) => one.expiresAt),
      sinks,
      tenants: tenants.values,
      statuses: statuses.values,
    };
  }

  /** Takes what a snapshot of the awaited position, or of a later one, holds. Yields now and then. */
  *merge(snapshot: EndedSnapshot): Generator<void, void> {
    const tasks = snapshot.seq.length === 0 ? [] : snapshot.tasks.split(" ");
    for (const [index, task] of tasks.entries()) {
      if (index % MERGED_AT_ONCE === MERGED_AT_ONCE - 1) yield;
      if (this.#touched?.has(task)) continue;
      const [sinks, settledSinks] = snapshot.sinks[index] ?? [0, NONE];
      this.#keep({
        tenant: snapshot.tenants[snapshot.tenant[index]!]!,
        task,
        seq: snapshot.seq[index]!,
        status: snapshot.statuses[snapshot.status[index]!]!,
        endedAt: snapshot.endedAt[index]!,
        expiresAt: snapshot.expiresAt[index]!,
        sinks,
        settledSinks,
      });
    }
    this.becomeWhole();
  }

  #keep(one: RememberedTask): void {
    // What was never run has no output: its sinks do not fire.
    const open = one.status !== "blocked" && one.sinks > one.settledSinks.length;
    if (!open && one.expiresAt === null) {
      this.#forget(one.task);
      return;
    }
    this.#kept.set(one.task, one);
    if (open) {
      this.#unsettled.add(one.task);
      return;
    }
    this.#unsettled.delete(one.task);
    // An earlier entry of the same task stays in the order and is passed over.
    if (one.expiresAt !== null) this.#expiring.add(one.expiresAt, one);
  }

  #forget(task: string): void {
    this.#kept.delete(task);
    this.#unsettled.delete(task);
    this.#expiring.dropWhile((one) => !this.#isCurrent(one));
  }

  #isCurrent(one: RememberedTask): boolean {
    return this.#kept.get(one.task) === one;
  }
}

/** Some milliseconds. */
const MERGED_AT_ONCE = 5_000;
const NONE: readonly string[] = [];

/** Values by the number of their first coming. */
class Index<T> {
  readonly values: T[] = [];
  readonly #numbers = new Map<T, number>();

  of(value: T): number {
    const known = this.#numbers.get(value);
    if (known !== undefined) return known;
    this.#numbers.set(value, this.values.length);
    return this.values.push(value) - 1;
  }
}
