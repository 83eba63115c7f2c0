import type { Ended } from "../../../schemas/messages/node.ts";

/** Who ends an attempt before its own end. */
export type StoppedBy = NonNullable<Ended["stopped_by"]>;

/** The wish to stop an attempt. The first one counts: it is the one whose SIGTERM is sent. */
export class StopRequest {
  #by: StoppedBy | null = null;
  #listeners: (() => void)[] = [];

  get by(): StoppedBy | null {
    return this.#by;
  }

  request(by: StoppedBy): void {
    if (this.#by !== null) return;
    this.#by = by;
    const listeners = this.#listeners;
    this.#listeners = [];
    for (const listener of listeners) listener();
  }

  /** Nobody is to be told any more. */
  forget(): void {
    this.#listeners = [];
  }

  /** Calls `listener` once, at once when the wish is there already. */
  onRequest(listener: () => void): void {
    if (this.#by !== null) listener();
    else this.#listeners.push(listener);
  }
}
