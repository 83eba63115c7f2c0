import { setTimeout as sleep } from "node:timers/promises";
import type Docker from "dockerode";
import type { Clock } from "../../../kernel/clock.ts";
import { pullErrorCharsMax } from "../../limits.ts";
import type { ImageWaiter, PullNewsKind, PullState } from "../../ports.ts";
import { pullDelayMs } from "./pullBackoff.ts";
import { adviceFor, type PullFailure } from "./pullFailure.ts";
import { sumOf } from "./pullProgress.ts";
import type { PullTurns } from "./pullTurns.ts";
import { type FailedTry, readPull } from "./readPull.ts";
import type { RegistryCredentials } from "./registryCredentials.ts";

/** What pulls need of the world. */
export interface PullTools {
  readonly docker: Docker;
  readonly clock: Clock;
  /** From 0 up to 1. */
  readonly random: () => number;
  /** Milliseconds that the registry of a reference asks to wait; null when it does not say. */
  readonly askRetryAfter: (ref: string) => Promise<number | null>;
  readonly turns: PullTurns;
  /** Silence of the engine after which a try has failed. */
  readonly stallMs: number;
}

export type PullEnd =
  | { readonly is: "pulled" }
  | {
      readonly is: "failed";
      readonly message: string;
      /** Trying again cannot change it. */
      readonly final: boolean;
      /** Before that, the next try would be in vain; from now. */
      readonly retryAfterMs: number | null;
    };

interface Waiting {
  readonly resolve: (end: PullEnd) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The pull of one reference, with the same credentials or none, for all attempts that wait for it: tries, with the time between them, until it is
 * there, or trying is in vain, or nobody waits any more. An attempt leaves when its time ends.
 *
 * `#over` says that it gives no more answers: who comes later begins another.
 */
export class Pull {
  readonly #ref: string;
  readonly #credentials: RegistryCredentials | null;
  readonly #tools: PullTools;
  readonly #waiting = new Map<ImageWaiter, Waiting>();
  readonly #abort = new AbortController();
  #state: PullState;
  #over = false;

  constructor(ref: string, tools: PullTools, credentials: RegistryCredentials | null) {
    this.#ref = ref;
    this.#credentials = credentials;
    this.#tools = tools;
    this.#state = { ref, ...untried, started_at: tools.clock.now() };
  }

  get over(): boolean {
    return this.#over;
  }

  /** Waits for it. @throws Retryable `ENGINE_UNREACHABLE` */
  join(waiter: ImageWaiter): Promise<PullEnd> {
    return new Promise((resolve, reject) => {
      this.#waiting.set(waiter, { resolve, reject });
      waiter.onPull(this.#state, "begun");
      void waiter.left.then(() => this.#leave(waiter));
    });
  }

  /** Does it; never rejects. */
  async run(): Promise<void> {
    try {
      for (let tries = 1; !this.#over; tries++) {
        this.#state = { ...this.#state, ...sumOf({ layers: new Map(), error: null }), tries, retry_at: null };
        if (tries > 1) this.#tell("progress");
        const failed = await this.#try();
        if (failed === null) this.#end({ is: "pulled" });
        else await this.#rest(failed, tries);
      }
    } catch (error) {
      this.#over = true;
      for (const { reject } of this.#waiting.values()) reject(error);
    }
  }

  async #try(): Promise<FailedTry | null> {
    const { docker, turns, stallMs } = this.#tools;
    const { signal } = this.#abort;
    const giveBack = await turns.take(signal);
    try {
      return await readPull(docker, this.#ref, {
        signal,
        credentials: this.#credentials,
        stallMs,
        onProgress: (progress) => {
          this.#state = { ...this.#state, ...sumOf(progress) };
          this.#tell("progress");
        },
      });
    } finally {
      giveBack();
    }
  }

  /** After a failed try: the end, or the wait before the next. */
  async #rest({ failure, message }: FailedTry, tries: number): Promise<void> {
    const { askRetryAfter, random, clock } = this.#tools;
    this.#state = { ...this.#state, last_error: message.slice(0, pullErrorCharsMax) };
    const limited = failure === "throttled" || /\b503\b/.test(message);
    const retryAfterMs = limited ? await askRetryAfter(this.#ref) : null;
    const delayMs = pullDelayMs({ failure, tries, retryAfterMs, jitter: random() });
    if (delayMs === null) {
      this.#end({ is: "failed", message: this.#sentence(failure), final: true, retryAfterMs });
      return;
    }
    this.#state = { ...this.#state, retry_at: clock.now() + delayMs };
    this.#sendAway(clock.monotonicMs() + delayMs, { failure, retryAfterMs });
    if (this.#over) return;
    this.#tell("failed");
    await sleep(delayMs, undefined, { signal: this.#abort.signal });
  }

  /** Attempts whose time ends before the next try have no reason to hold their slot until then. */
  #sendAway(nextMs: number, why: { failure: PullFailure; retryAfterMs: number | null }): void {
    const message = `${this.#sentence(why.failure)}. The next try would come after the time this attempt has to start`;
    for (const [waiter, { resolve }] of this.#waiting) {
      if (waiter.deadlineMs > nextMs) continue;
      waiter.onPull({ ...this.#state, retry_at: null }, "over");
      resolve({ is: "failed", message, final: false, retryAfterMs: why.retryAfterMs });
      this.#leave(waiter);
    }
  }

  #sentence(failure: PullFailure): string {
    const { tries, last_error } = this.#state;
    const count = tries === 1 ? "" : ` in ${tries} tries`;
    return `${this.#ref} could not be pulled${count}: ${last_error}. ${adviceFor(failure, this.#credentials !== null)}`;
  }

  #leave(waiter: ImageWaiter): void {
    this.#waiting.delete(waiter);
    if (this.#waiting.size > 0 || this.#over) return;
    this.#over = true;
    this.#abort.abort();
  }

  #end(end: PullEnd): void {
    this.#over = true;
    if (end.is === "failed") this.#tell("over");
    for (const { resolve } of this.#waiting.values()) resolve(end);
    this.#waiting.clear();
  }

  #tell(kind: PullNewsKind): void {
    for (const waiter of this.#waiting.keys()) waiter.onPull(this.#state, kind);
  }
}

const untried = {
  tries: 1,
  layers_done: 0,
  layers_total: 0,
  bytes_done: 0,
  bytes_total: 0,
  last_error: null,
  retry_at: null,
  finished_at: null,
} as const;
