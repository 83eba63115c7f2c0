import type { Report } from "../../../schemas/messages/node.ts";
import { Retryable } from "../../kernel/errors.ts";
import { engineRetryMs } from "../limits.ts";
import { Abandoned, after, sleep } from "../repeat.ts";
import type { AgentContext } from "./agentContext.ts";
import type { AttemptRecord } from "./attemptRecord.ts";

type NotStarted = NonNullable<Report["not_started"]>;

const againAsUsual = { final: false, retryAfterMs: null };

/** The attempt will never start; caught where its life is told. */
export class NeverStarts extends Error {
  override readonly name = "NeverStarts";
  readonly notStarted: NotStarted;

  constructor(
    reason: NotStarted["reason"],
    message: string,
    more: { readonly final: boolean; readonly retryAfterMs: number | null } = againAsUsual,
  ) {
    super(message);
    this.notStarted = { reason, message, final: more.final, retry_after_ms: more.retryAfterMs };
  }
}

/**
 * The time in which an attempt may start: from the sending of the grant request, on the monotonic clock, to
 * the limit that the grant set. A wish to stop ends it too. Whoever opens one disposes of it.
 */
export class StartWindow {
  readonly #context: AgentContext;
  readonly #attempt: AttemptRecord;
  /** On the monotonic clock. */
  readonly deadlineMs: number;
  /** Rejects when the window closes or the agent stops; one for all steps, for there are thousands a second. */
  readonly #closing: Promise<never>;
  readonly #dispose: () => void;
  #lastTrouble = "";

  constructor(context: AgentContext, attempt: AttemptRecord, deadlineMs: number) {
    this.#context = context;
    this.#attempt = attempt;
    this.deadlineMs = deadlineMs;
    let reject: (error: Error) => void = () => {};
    this.#closing = new Promise<never>((_, no) => {
      reject = no;
    });
    // Nobody may be waiting when it closes.
    this.#closing.catch(() => {});
    const cancelTimer = after(deadlineMs - context.clock.monotonicMs() + 1, () => reject(this.#never()));
    const forget = context.life.onEnd(() => reject(new Abandoned()));
    attempt.stop.onRequest(() => reject(this.#never()));
    this.#dispose = () => {
      cancelTimer();
      forget();
    };
  }

  /** Settles when it closes or the agent stops; never after it was disposed of. */
  closed(): Promise<void> {
    return this.#closing.catch(() => {});
  }

  dispose(): void {
    this.#dispose();
  }

  /** @throws NeverStarts when it is closed */
  check(): void {
    if (this.#attempt.stop.by === null && this.#context.clock.monotonicMs() < this.deadlineMs) return;
    throw this.#never();
  }

  /**
   * Does `work`, again and again while the runtime is out of reach.
   * @throws NeverStarts as soon as the window closes, also while `work` goes on; Abandoned when the agent stops
   */
  async within<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      this.check();
      try {
        return await Promise.race([work(), this.#closing]);
      } catch (error) {
        if (!(error instanceof Retryable)) throw error;
        this.#lastTrouble = error.message;
      }
      await Promise.race([sleep(engineRetryMs, this.#context.life), this.#closing]);
    }
  }

  #never(): NeverStarts {
    const by = this.#attempt.stop.by;
    if (by !== null) return new NeverStarts("cancelled", `stopped before its start (${by})`);
    const why = this.#lastTrouble === "" ? "" : `: ${this.#lastTrouble}`;
    return new NeverStarts("start_limit", `it could not start within the time granted${why}`);
  }
}
