import type { AttemptRef, Report } from "../../../schemas/messages/node.ts";
import type { LogStream } from "../../../streams/subjects.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { AgentLife } from "../agentLife.ts";
import { logFinishBoundMs, logPendingBytesMax } from "../limits.ts";
import type { Logs, OutputOffsets, OutputSink } from "../ports.ts";
import { StreamPump } from "./streamPump.ts";

export interface LogPumpOptions {
  readonly ref: AttemptRef;
  readonly logs: Logs;
  /** Bytes of each stream that are stored. */
  readonly capBytes: number;
  /** What is stored already; reading goes on from here. */
  readonly from: OutputOffsets;
  readonly clock: Clock;
  readonly connected: () => boolean;
  readonly life: AgentLife;
  readonly proveWritable: () => Promise<void>;
  readonly onFailure: (error: unknown, tries: number) => void;
}

/**
 * Carries the output of one attempt to LOGS. Each stream has one chunk in flight, so that LOGS holds it in
 * order whatever fails; memory is bounded, because the pump says {@link OutputSink.full} and its reader holds on.
 */
export class LogPump implements OutputSink {
  readonly #options: LogPumpOptions;
  /** Made at their first byte: most tasks never write to stderr, and many write nothing. */
  readonly #streams: Partial<Record<LogStream, StreamPump>> = {};
  #waiters: (() => void)[] = [];

  constructor(options: LogPumpOptions) {
    this.#options = options;
  }

  write(stream: LogStream, bytes: Uint8Array): void {
    this.#streams[stream] ??= this.#open(stream);
    this.#streams[stream].write(bytes);
  }

  get full(): boolean {
    return this.#isFull("stdout") || this.#isFull("stderr");
  }

  async ready(): Promise<void> {
    while (this.full) await new Promise<void>((resolve) => this.#waiters.push(resolve));
  }

  /** Bytes of each stream seen so far, stored or not: where a new reading goes on. */
  offsets(): OutputOffsets {
    const { from } = this.#options;
    return {
      stdout: this.#streams.stdout?.seenBytes ?? from.stdout,
      stderr: this.#streams.stderr?.seenBytes ?? from.stderr,
    };
  }

  counts(): Report["logs"] {
    return { stdout: this.#countsOf("stdout"), stderr: this.#countsOf("stderr") };
  }

  /** There is no more: resolves when all is stored, or given up within the bound and counted as dropped. */
  async finish(): Promise<void> {
    await Promise.all([this.#streams.stdout?.finish(), this.#streams.stderr?.finish()]);
  }

  #open(stream: LogStream): StreamPump {
    const { from } = this.#options;
    return new StreamPump(
      { ...this.#options, stream, fromBytes: from[stream], finishBoundMs: logFinishBoundMs },
      () => this.#drained(),
    );
  }

  #isFull(stream: LogStream): boolean {
    return (this.#streams[stream]?.pendingBytes ?? 0) >= logPendingBytesMax;
  }

  #countsOf(stream: LogStream): { stored: number; dropped: number } {
    const { from, capBytes } = this.#options;
    return this.#streams[stream]?.counts() ?? { stored: Math.min(from[stream], capBytes), dropped: 0 };
  }

  #drained(): void {
    if (this.full) return;
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const waiter of waiters) waiter();
  }
}
