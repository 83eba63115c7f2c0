/** Promises' calls that are under way, and the outcomes that wait for the guest to be idle, in the order they came. */

interface Completion {
  readonly id: number;
  /** Writes the record and gives the guest's text. */
  readonly settle: () => string;
}

export class OpenCalls {
  readonly #open = new Map<number, { readonly tool: string; readonly abort: AbortController }>();
  readonly #done: Completion[] = [];
  #wake: (() => void) | null = null;

  get size(): number {
    return this.#open.size;
  }

  begin(id: number, tool: string): AbortController {
    const abort = new AbortController();
    this.#open.set(id, { tool, abort });
    return abort;
  }

  /** An outcome that comes after the end is dropped. */
  finish(id: number, settle: () => string): void {
    if (!this.#open.has(id)) return;
    this.#done.push({ id, settle });
    this.#wake?.();
  }

  /** The next outcome, waiting for one while any call is open; null when none is. */
  async next(): Promise<string | null> {
    while (this.#done.length === 0) {
      if (this.#open.size === 0) return null;
      await this.#change();
    }
    const { id, settle } = this.#done.shift()!;
    this.#open.delete(id);
    return settle();
  }

  /** Waits until every open call has its outcome; each has a time limit of its own. */
  async allDone(): Promise<void> {
    while (this.#done.length < this.#open.size) await this.#change();
  }

  /** Settles what has an outcome, aborts the rest and hands each of it to `lost`. */
  end(lost: (id: number, tool: string) => void): void {
    for (const [id, { tool, abort }] of this.#open) {
      const finished = this.#done.find((one) => one.id === id);
      if (finished !== undefined) finished.settle();
      else {
        abort.abort();
        lost(id, tool);
      }
    }
    this.#open.clear();
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}
