import type { PullFacts } from "../../../schemas/messages/node.ts";
import type { Clock } from "../../kernel/clock.ts";
import { pullFailureNewsMax, pullNewsSpacingMs, pullProgressNewsMax } from "../limits.ts";
import type { PullNewsKind, PullState } from "../ports.ts";

export interface PullNewsOptions {
  readonly clock: Clock;
  /** What the record has of this attempt's pull, from an earlier life of the agent. */
  readonly known: PullFacts | null;
  /** Every change: whatever is reported next holds it. */
  readonly onFacts: (facts: PullFacts) => void;
  /** It is worth a report of its own. */
  readonly onNews: () => void;
}

/**
 * What of a pull goes into the record of its attempt: its start, each failed try, progress now and then, its end.
 * Only these are reported apart, and of each kind there is a bound.
 */
export class PullNews {
  readonly #options: PullNewsOptions;
  #notice: number;
  #progressLeft = pullProgressNewsMax;
  #failuresLeft = pullFailureNewsMax;
  #lastAtMs = Number.NEGATIVE_INFINITY;
  #facts: PullFacts | null = null;

  constructor(options: PullNewsOptions) {
    this.#options = options;
    this.#notice = options.known?.notice ?? 0;
  }

  /** The newest facts; null while nothing is pulled. */
  get facts(): PullFacts | null {
    return this.#facts;
  }

  tell(state: PullState, kind: PullNewsKind): void {
    const isNews = this.#isNews(kind);
    this.#set(state, isNews);
    // What is over is told with all that follows from it.
    if (isNews && kind !== "over") this.#options.onNews();
  }

  /** The image is there. */
  finish(): void {
    if (this.#facts === null) return;
    this.#set({ ...this.#facts, finished_at: this.#options.clock.now(), retry_at: null }, true);
    this.#options.onNews();
  }

  #set(state: PullState, isNews: boolean): void {
    if (isNews) {
      this.#notice++;
      this.#lastAtMs = this.#options.clock.monotonicMs();
    }
    this.#facts = { ...state, notice: Math.max(1, this.#notice) };
    this.#options.onFacts(this.#facts);
  }

  #isNews(kind: PullNewsKind): boolean {
    if (kind === "over") return true;
    if (kind === "progress") {
      const due = this.#options.clock.monotonicMs() - this.#lastAtMs >= pullNewsSpacingMs;
      return due && this.#progressLeft-- > 0;
    }
    // It begins more than once only where the engine went away meanwhile: that is a failed try too.
    return (kind === "begun" && this.#facts === null) || this.#failuresLeft-- > 0;
  }
}
