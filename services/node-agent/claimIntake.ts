import type { AgentLife } from "./agentLife.ts";
import { creditsToFetch } from "./creditsToFetch.ts";
import { fetchBatchMax } from "./limits.ts";
import type { AgentLog, ClaimOffer, ClaimQueue } from "./ports.ts";
import { Abandoned, backoffMs, sleep } from "./repeat.ts";

export interface ClaimIntakeOptions {
  readonly queue: ClaimQueue;
  readonly slots: number;
  readonly life: AgentLife;
  readonly log: AgentLog;
  /** Attempts that take a slot now. */
  readonly busy: () => number;
  /** False while the node takes no work. */
  readonly open: () => boolean;
  readonly onOffer: (offer: ClaimOffer) => void;
}

/** Fetches claims for free slots and only for those. Call {@link ClaimIntake.refill} whenever a slot came free. */
export class ClaimIntake {
  readonly #options: ClaimIntakeOptions;
  #outstanding = 0;
  #failures = 0;
  #resting = false;

  constructor(options: ClaimIntakeOptions) {
    this.#options = options;
  }

  refill(): void {
    const { slots, busy, open, life } = this.#options;
    if (life.over || this.#resting || !open()) return;
    const count = creditsToFetch({
      slots,
      busy: busy(),
      outstanding: this.#outstanding,
      batchMax: fetchBatchMax,
    });
    if (count === 0) return;
    this.#fetch(count).catch((error) => {
      if (!(error instanceof Abandoned)) this.#options.log.error({ error }, "taking claims failed");
    });
  }

  async #fetch(count: number): Promise<void> {
    const { queue, onOffer, log, life } = this.#options;
    let left = count;
    this.#outstanding += count;
    try {
      await queue.fetch(count, (offer) => {
        // More may come than asked for: a fetch that outlives a reconnect asks again for all of it.
        if (left > 0) {
          left--;
          this.#outstanding--;
        }
        onOffer(offer);
      });
      this.#failures = 0;
    } catch (error) {
      if (life.over) throw new Abandoned();
      this.#failures++;
      log.warn({ error, failures: this.#failures }, "claims cannot be fetched now");
    }
    this.#outstanding -= left;
    if (this.#failures > 0 && !this.#resting) await this.#rest();
    this.refill();
  }

  async #rest(): Promise<void> {
    this.#resting = true;
    try {
      await sleep(backoffMs(this.#failures), this.#options.life);
    } finally {
      this.#resting = false;
    }
  }
}
