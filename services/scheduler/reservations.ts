/**
 * Room on nodes that was given away but that the fold does not show yet: between the decision and the moment
 * its `scheduled` event comes back, the slot must not be given a second time.
 */
export class Reservations {
  readonly #byTask = new Map<string, { readonly node: string; seq: number | null }>();
  readonly #byNode = new Map<string, number>();

  has(task: string): boolean {
    return this.#byTask.has(task);
  }

  countOn(node: string): number {
    return this.#byNode.get(node) ?? 0;
  }

  get size(): number {
    return this.#byTask.size;
  }

  take(task: string, node: string): void {
    this.#byTask.set(task, { node, seq: null });
    this.#byNode.set(node, this.countOn(node) + 1);
  }

  /** The event is in the ledger at `seq`; the reservation ends when the fold is there. */
  appended(task: string, seq: number): void {
    const reservation = this.#byTask.get(task);
    if (reservation) reservation.seq = seq;
  }

  release(task: string): void {
    const reservation = this.#byTask.get(task);
    if (!reservation) return;
    this.#byTask.delete(task);
    this.#byNode.set(reservation.node, this.countOn(reservation.node) - 1);
  }

  /** Ends what the fold, now at `position`, shows itself. */
  settle(position: number): void {
    for (const [task, { seq }] of this.#byTask) if (seq !== null && seq <= position) this.release(task);
  }
}
