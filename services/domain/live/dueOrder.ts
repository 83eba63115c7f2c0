/**
 * What is due by a time, without looking at what is not: a binary heap, smallest time first. Nothing is taken out
 * of its middle: whoever asks passes over what is over, and {@link DueOrder.dropWhile} takes such entries off the top.
 */
export class DueOrder<T> {
  readonly #times: number[] = [];
  readonly #items: T[] = [];

  get size(): number {
    return this.#times.length;
  }

  add(time: number, item: T): void {
    let at = this.#times.length;
    this.#times.push(time);
    this.#items.push(item);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.#times[parent]! <= time) break;
      this.#swap(at, parent);
      at = parent;
    }
  }

  /** Everything whose time is at most `now`, in no order; what is later is not visited. */
  *until(now: number): IterableIterator<T> {
    const open = [0];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (at >= this.#times.length || this.#times[at]! > now) continue;
      open.push(2 * at + 2, 2 * at + 1);
      yield this.#items[at]!;
    }
  }

  /** Takes off what comes first for as long as `isOver` says so. */
  dropWhile(isOver: (item: T) => boolean): void {
    while (this.#items.length > 0 && isOver(this.#items[0]!)) this.#dropFirst();
  }

  #dropFirst(): void {
    const last = this.#times.length - 1;
    this.#swap(0, last);
    this.#times.pop();
    this.#items.pop();
    for (let at = 0; ; ) {
      const left = 2 * at + 1;
      if (left >= last) return;
      const smaller = left + 1 < last && this.#times[left + 1]! < this.#times[left]! ? left + 1 : left;
      if (this.#times[at]! <= this.#times[smaller]!) return;
      this.#swap(at, smaller);
      at = smaller;
    }
  }

  #swap(a: number, b: number): void {
    [this.#times[a], this.#times[b]] = [this.#times[b]!, this.#times[a]!];
    [this.#items[a], this.#items[b]] = [this.#items[b]!, this.#items[a]!];
  }
}
