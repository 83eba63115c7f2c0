/** What a program has left of the time that it may run. */
export class RunningTime {
  #leftMs: number;

  constructor(limitMs: number) {
    this.#leftMs = limitMs;
  }

  get leftMs(): number {
    return this.#leftMs;
  }

  /** Counts a piece of its running, from an answer to its next question. @returns false when that was more than it had */
  spend(ranMs: number): boolean {
    this.#leftMs -= ranMs;
    return this.#leftMs >= 0;
  }
}
