/**
 * Where room came free, and when, by a count that only grows. What fitted nowhere is tried again only where room was
 * gained since; so a long queue for full nodes costs a pass little.
 */
export class RoomGains {
  readonly #last = new Map<string, number>();
  #count = 0;

  /** How many gains there were ever. */
  get count(): number {
    return this.#count;
  }

  add(node: string): void {
    this.#last.set(node, ++this.#count);
  }

  /** The count at the node's last gain; 0 for none. */
  last(node: string): number {
    return this.#last.get(node) ?? 0;
  }
}
