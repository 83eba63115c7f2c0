import { Retryable } from "../../kernel/errors.ts";

/**
 * How many uploads are under way: each holds memory and a part of the connection that the ledger uses too. Those of
 * one task are bounded apart, so that a task cannot keep others out.
 */
export class UploadTurns {
  readonly #max: { readonly inAll: number; readonly ofTask: number };
  readonly #ofTask = new Map<string, number>();
  #inAll = 0;

  constructor(max: { readonly inAll: number; readonly ofTask: number }) {
    this.#max = max;
  }

  /** @returns how to give the turn back. @throws Retryable `ARTIFACT_BUSY` */
  take(task: string): () => void {
    const mine = this.#ofTask.get(task) ?? 0;
    if (mine >= this.#max.ofTask || this.#inAll >= this.#max.inAll) {
      throw new Retryable("ARTIFACT_BUSY", "Too many files come at once.", {
        hint: `Send it again in a moment; ${this.#max.ofTask} files of a task may come at a time.`,
      });
    }
    this.#inAll++;
    this.#ofTask.set(task, mine + 1);
    return () => {
      this.#inAll--;
      const left = this.#ofTask.get(task)! - 1;
      if (left === 0) this.#ofTask.delete(task);
      else this.#ofTask.set(task, left);
    };
  }
}
