/**
 * One life of the agent, from start to stop. What waits is told of its end. An AbortSignal would do, but takes
 * time in proportion to its listeners to forget one, and thousands of attempts wait at once.
 */
export class AgentLife {
  #over = false;
  readonly #listeners = new Set<() => void>();

  get over(): boolean {
    return this.#over;
  }

  /** Calls `listener` at the end, at once when it is over. @returns how to forget it */
  onEnd(listener: () => void): () => void {
    if (this.#over) {
      listener();
      return () => {};
    }
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  end(): void {
    if (this.#over) return;
    this.#over = true;
    for (const listener of this.#listeners) listener();
    this.#listeners.clear();
  }
}
