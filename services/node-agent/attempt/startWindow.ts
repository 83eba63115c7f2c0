import type { Report } from "../../../schemas/messages/node.ts";
import { Retryable } from "../../kernel/errors.ts";
import { engineRetryMs } from "../limits.ts";
import { Abandoned, after, sleep } from "../repeat.ts";
import type { AgentContext } from "./agentContext.ts";
import type { AttemptRecord } from "./attemptRecord.ts";

type NotStarted = NonNullable<Report["not_started"]>;

/** The attempt will never start; caught where its life is told. */
export class NeverStarts extends Error {
  override readonly name = "NeverStarts";
  readonly notStarted: NotStarted;

  constructor(reason: NotStarted["reason"], message: string) {
    super(message);
    this.notStarted = { reason, message };
  }
}

/**
 * The time in which an attempt may start: from the sending of the grant request, on the monotonic clock, to
 * the limit that the grant set. A wish to stop ends it too.
 */
export class StartWindow {
  readonly #context: AgentContext;
  readonly #attempt: AttemptRecord;
  readonly #deadlineMs: number;
  #lastTrouble = "";

  constructor(context: AgentContext, attempt: AttemptRecord, deadlineMs: number) {
    this.#context = context;
    this.#attempt = attempt;
    this.#deadlineMs = deadlineMs;
  }

  /** @throws NeverStarts when it is closed */
  check(): void {
    const by = this.#attempt.stop.by;
    if (by !== null) throw new NeverStarts("cancelled", `stopped before its start (${by})`);
    if (this.#context.clock.monotonicMs() < this.#deadlineMs) return;
    const why = this.#lastTrouble === "" ? "" : `: ${this.#lastTrouble}`;
    throw new NeverStarts("start_limit", `it could not start within the time granted${why}`);
  }

  /**
   * Does `work`, again and again while the runtime is out of reach.
   * @throws NeverStarts as soon as the window closes, also while `work` goes on; Abandoned when the agent stops
   */
  async within<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      this.check();
      try {
        return await this.#raced(work());
      } catch (error) {
        if (!(error instanceof Retryable)) throw error;
        this.#lastTrouble = error.message;
      }
      await this.#raced(sleep(engineRetryMs, this.#context.life));
    }
  }

  #raced<T>(work: Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const close = () => {
        try {
          this.check();
        } catch (error) {
          reject(error);
        }
      };
      const cancel = after(this.#deadlineMs - this.#context.clock.monotonicMs() + 1, close);
      this.#attempt.stop.onRequest(close);
      const forget = this.#context.life.onEnd(() => reject(new Abandoned()));
      work.then(resolve, reject).finally(() => {
        cancel();
        forget();
      });
    });
  }
}
