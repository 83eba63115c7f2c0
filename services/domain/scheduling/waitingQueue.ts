import type { Wish } from "./placement.ts";

/** A task that waits for a node. Times in milliseconds since 1970. */
export interface Waiting {
  readonly tenant: string;
  readonly task: string;
  readonly wish: Wish;
  readonly waitsSince: number;
  readonly level: number;
  /** Within its level, by arrival. */
  readonly order: number;
  /** Not to be placed before; 0 for at once. */
  readonly notBefore: number;
  /** Not to be placed from then on: it is given up. */
  readonly startsUntil: number | null;
}

/** The waiting tasks of one tenant: by level, and within a level in the order in which they came. */
export class WaitingQueue {
  /** Ascending, each with at least one task. */
  readonly #levels: number[] = [];
  readonly #byLevel = new Map<number, Map<string, Waiting>>();
  /** The highest order that each level has seen: what is below it has come back and goes before others. */
  readonly #lastOrders = new WeakMap<Map<string, Waiting>, number>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(waiting: Waiting): void {
    let level = this.#byLevel.get(waiting.level);
    if (!level) {
      level = new Map();
      this.#byLevel.set(waiting.level, level);
      this.#levels.splice(this.#find(waiting.level), 0, waiting.level);
    }
    if (!level.has(waiting.task)) this.#size++;
    level.set(waiting.task, waiting);
    if (waiting.order < (this.#lastOrders.get(level) ?? 0)) inOrderAgain(level);
    else this.#lastOrders.set(level, waiting.order);
  }

  remove(waiting: Waiting): void {
    const level = this.#byLevel.get(waiting.level);
    if (!level?.delete(waiting.task)) return;
    this.#size--;
    if (level.size > 0) return;
    this.#byLevel.delete(waiting.level);
    this.#levels.splice(this.#find(waiting.level), 1);
  }

  /** A walk in the order in which they go. The queue must not change meanwhile. */
  walk(): { next(): Waiting | undefined } {
    const levels = this.#levels;
    let at = 0;
    let inLevel: IterableIterator<Waiting> | null = null;
    // A generator would cost several times as much, and a pass walks along all that waits.
    return {
      next: () => {
        for (;;) {
          const step = inLevel?.next();
          if (step !== undefined && !step.done) return step.value;
          if (at >= levels.length) return undefined;
          inLevel = this.#byLevel.get(levels[at++]!)!.values();
        }
      },
    };
  }

  /** How many go before this one. */
  countBefore(waiting: Waiting): number {
    let count = 0;
    for (const level of this.#levels) {
      if (level >= waiting.level) break;
      count += this.#byLevel.get(level)!.size;
    }
    for (const task of this.#byLevel.get(waiting.level)?.keys() ?? []) {
      if (task === waiting.task) break;
      count++;
    }
    return count;
  }

  /** Position of the first level that is not below. */
  #find(level: number): number {
    let low = 0;
    let high = this.#levels.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#levels[middle]! < level) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function inOrderAgain(level: Map<string, Waiting>): void {
  const sorted = [...level].sort(([, a], [, b]) => a.order - b.order);
  level.clear();
  for (const [task, waiting] of sorted) level.set(task, waiting);
}
