import type { AttemptRef } from "../../../schemas/messages/node.ts";
import type { AgentLife } from "../agentLife.ts";
import { attachEndBoundMs, engineRetryMs, recordRefusalsMax } from "../limits.ts";
import type { AgentLog, Attachment, OutputEnd, Runtime } from "../ports.ts";
import { Abandoned, after, sleep } from "../repeat.ts";
import type { LogPump } from "./logPump.ts";

export interface OutputCollectorOptions {
  readonly runtime: Runtime;
  readonly ref: AttemptRef;
  readonly pump: LogPump;
  readonly life: AgentLife;
  readonly log: AgentLog;
}

/**
 * Brings an attempt's output to its pump, each byte once. Modes: `attached` (live, from before the start) until
 * that ends; then `following` the runtime's own record from the offsets reached, as often as needed. Whoever
 * did not stay attached to the end reads the record once more after the exit, so that no tail is missed.
 */
export class OutputCollector {
  readonly #options: OutputCollectorOptions;
  #attachment: Attachment | null = null;
  /** True while everything so far came through one unbroken attach. */
  #whole = false;
  #exited = false;
  #announceExit: () => void = () => {};
  readonly #exit = new Promise<void>((resolve) => {
    this.#announceExit = resolve;
  });
  readonly #forget: () => void;
  #following: Promise<void> | null = null;

  constructor(options: OutputCollectorOptions) {
    this.#options = options;
    this.#forget = options.life.onEnd(() => this.#attachment?.close());
  }

  /** Attaches before the start. */
  async attach(): Promise<void> {
    const { runtime, ref, pump } = this.#options;
    this.#attachment?.close();
    const attachment = await runtime.attach(ref, pump);
    this.#attachment = attachment;
    this.#whole = true;
  }

  /** Call when it runs: from here on a lost attach is replaced by the runtime's record. */
  watch(): void {
    this.#following = this.#follow().catch((error) => {
      if (!(error instanceof Abandoned)) this.#options.log.error({ error }, "reading output failed");
    });
  }

  /**
   * Call after the exit: resolves when every byte is in the pump.
   * @param interrupted the engine was away: what was attached may have ended early without a word
   */
  async drain(interrupted: boolean): Promise<void> {
    this.#exited = true;
    this.#announceExit();
    const ended =
      this.#attachment === null ? "broken" : await endedWithin(this.#attachment, attachEndBoundMs);
    if (ended !== "eof") this.#attachment?.close();
    await this.#following;
    this.#forget();
    if (this.#whole && ended === "eof" && !interrupted) return;
    await this.#readToEnd();
  }

  /** Call when there is no container to read from any more. */
  async abandon(): Promise<void> {
    this.#exited = true;
    this.#announceExit();
    this.#attachment?.close();
    await this.#following;
    this.#forget();
  }

  async #follow(): Promise<void> {
    const { runtime, ref, pump, life } = this.#options;
    if (this.#attachment !== null) {
      const ended = await this.#attachment.ended;
      // A clean end comes with the exit; without one soon, the engine restarted under the container.
      if (ended === "eof" && !this.#exited) await this.#pause();
      if (ended === "eof" && this.#exited) return;
      this.#whole = false;
    }
    while (!this.#exited) {
      if (life.over) throw new Abandoned();
      await pump.ready();
      this.#attachment = runtime.follow(ref, pump, { from: pump.offsets(), live: true });
      await this.#attachment.ended;
      if (!this.#exited) await this.#pause();
    }
  }

  async #pause(): Promise<void> {
    await Promise.race([this.#exit, sleep(engineRetryMs, this.#options.life)]);
  }

  async #readToEnd(): Promise<void> {
    const { runtime, ref, pump, life, log } = this.#options;
    for (let refusals = 0; refusals < recordRefusalsMax; ) {
      if (life.over) throw new Abandoned();
      await pump.ready();
      const reading = runtime.follow(ref, pump, { from: pump.offsets(), live: false });
      this.#attachment = reading;
      const ended = await reading.ended;
      if (ended === "eof") return;
      if (ended === "refused") refusals++;
      await sleep(engineRetryMs, life);
    }
    log.error({ ...ref }, "the engine does not give the rest of the output; what it had is not recorded");
  }
}

function endedWithin(attachment: Attachment, boundMs: number): Promise<OutputEnd> {
  return new Promise((resolve) => {
    const cancel = after(boundMs, () => resolve("broken"));
    void attachment.ended.then((ended) => {
      cancel();
      resolve(ended);
    });
  });
}
