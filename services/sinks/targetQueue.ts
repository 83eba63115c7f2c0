/**
 * Runs jobs, at most so many at one target and so many in all, in the order in which they came for their target. A
 * target that is down holds up its own jobs alone.
 */
export class TargetQueue {
  readonly #perTargetMax: number;
  readonly #max: number;
  readonly #waiting = new Map<string, (() => Promise<void>)[]>();
  readonly #running = new Map<string, number>();
  readonly #jobs = new Set<Promise<void>>();

  constructor(bounds: { readonly perTargetMax: number; readonly max: number }) {
    this.#perTargetMax = bounds.perTargetMax;
    this.#max = bounds.max;
  }

  /** @param job must not reject */
  add(target: string, job: () => Promise<void>): void {
    const waiting = this.#waiting.get(target);
    if (waiting) waiting.push(job);
    else this.#waiting.set(target, [job]);
    this.#start(target);
  }

  /** Forgets what waits, and resolves when what runs is done. */
  async drain(): Promise<void> {
    this.#waiting.clear();
    await Promise.all(this.#jobs);
  }

  #start(target: string): void {
    const waiting = this.#waiting.get(target);
    while (waiting !== undefined && waiting.length > 0 && this.#hasRoom(target)) {
      this.#run(target, waiting.shift()!);
      if (waiting.length === 0) this.#waiting.delete(target);
    }
  }

  #hasRoom(target: string): boolean {
    return this.#jobs.size < this.#max && (this.#running.get(target) ?? 0) < this.#perTargetMax;
  }

  #run(target: string, job: () => Promise<void>): void {
    this.#running.set(target, (this.#running.get(target) ?? 0) + 1);
    const running = job().finally(() => {
      this.#jobs.delete(running);
      const left = this.#running.get(target)! - 1;
      if (left === 0) this.#running.delete(target);
      else this.#running.set(target, left);
      // Its own target first; then one that waited for room in all.
      this.#start(target);
      for (const other of this.#waiting.keys()) if (this.#jobs.size < this.#max) this.#start(other);
    });
    this.#jobs.add(running);
  }
}
