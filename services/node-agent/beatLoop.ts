import type { BeatReply, ObservedAttempt } from "../../schemas/messages/node.ts";
import type { Clock } from "../kernel/clock.ts";
import type { AgentLife } from "./agentLife.ts";
import { beatEntriesMax, earlyBeatSpacingMs } from "./limits.ts";
import type { AgentLog, ControlPlane, NodeDirectory } from "./ports.ts";
import { Abandoned, after } from "./repeat.ts";

export interface BeatLoopOptions {
  readonly node: string;
  readonly beatMs: number;
  readonly control: ControlPlane;
  readonly directory: NodeDirectory;
  readonly clock: Clock;
  readonly life: AgentLife;
  readonly log: AgentLog;
  readonly running: () => number;
  /** Looks at the node before the question, so that the answer covers what was seen. */
  readonly look: () => Promise<{
    readonly observed: readonly ObservedAttempt[];
    readonly act: (answer: BeatReply) => Promise<void>;
  }>;
}

/**
 * The node's pulse, two loops. Every `beatMs` it says that it lives: a loop of its own, so that neither an engine
 * that hangs nor a control plane that is down makes the node look dead. Every `beatMs`, and soon after a hint, it
 * says what it sees and acts on the answer, one beat at a time, so that an older answer never acts after a newer.
 */
export class BeatLoop {
  readonly #options: BeatLoopOptions;
  #cancel = () => {};
  #dueAt = Number.POSITIVE_INFINITY;
  #beating = false;
  #again = false;
  #lastBegan = Number.NEGATIVE_INFINITY;
  #heartbeatAt: number;
  #cancelPulse = () => {};

  constructor(options: BeatLoopOptions) {
    this.#options = options;
    this.#heartbeatAt = options.clock.monotonicMs();
    options.life.onEnd(() => {
      this.#cancel();
      this.#cancelPulse();
    });
  }

  /** Time since the last heartbeat that was stored, or since the start. */
  silentMs(): number {
    return this.#options.clock.monotonicMs() - this.#heartbeatAt;
  }

  start(): void {
    void this.#pulse();
    this.#arm(0);
  }

  /** Something changed there: look again now. */
  hint(): void {
    if (this.#beating) this.#again = true;
    else this.#arm(0);
  }

  /** Much has gathered here: beat before the time, but not all the time. */
  soon(): void {
    if (this.#beating) return;
    const spacing = this.#lastBegan + earlyBeatSpacingMs - this.#options.clock.monotonicMs();
    this.#arm(Math.max(0, spacing));
  }

  #arm(ms: number): void {
    const { clock, life } = this.#options;
    const dueAt = clock.monotonicMs() + ms;
    if (life.over || dueAt >= this.#dueAt) return;
    this.#cancel();
    this.#dueAt = dueAt;
    this.#cancel = after(ms, () => void this.#beat());
  }

  async #beat(): Promise<void> {
    const { log, beatMs, clock } = this.#options;
    this.#beating = true;
    this.#again = false;
    this.#lastBegan = clock.monotonicMs();
    try {
      await this.#reconcile();
    } catch (error) {
      if (!(error instanceof Abandoned)) log.warn({ error }, "a beat failed; the next one tries again");
    }
    this.#beating = false;
    this.#dueAt = Number.POSITIVE_INFINITY;
    this.#arm(this.#again ? 0 : beatMs);
  }

  async #pulse(): Promise<void> {
    const { directory, node, clock, running, log, beatMs, life } = this.#options;
    const began = clock.monotonicMs();
    try {
      await directory.heartbeat({ node, at: clock.now(), running: running() });
      this.#heartbeatAt = clock.monotonicMs();
    } catch (error) {
      log.warn({ error }, "the heartbeat is not stored");
    }
    if (life.over) return;
    this.#cancelPulse = after(Math.max(0, beatMs - (clock.monotonicMs() - began)), () => void this.#pulse());
  }

  async #reconcile(): Promise<void> {
    const { control, node, look } = this.#options;
    const { observed, act } = await look();
    const replies: BeatReply[] = [];
    const partial = observed.length > beatEntriesMax;
    for (let at = 0; at === 0 || at < observed.length; at += beatEntriesMax) {
      replies.push(await control.beat({ node, observed: observed.slice(at, at + beatEntriesMax), partial }));
    }
    // The first answer is the oldest: what it does not know yet is left alone.
    await act({ ...replies[0]!, settled: replies.flatMap((reply) => reply.settled) });
  }
}
