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
  readonly onFailure: (error: unknown, tries: number) => void;
}

/**
 * Carries the output of one attempt to LOGS. Each stream has one chunk in flight, so that LOGS holds it in
 * order whatever fails; memory is bounded, because the pump says {@link OutputSink.full} and its reader holds on.
 */
export class LogPump implements OutputSink {
  readonly #streams: Record<LogStream, StreamPump>;
  #waiters: (() => void)[] = [];

  constructor(options: LogPumpOptions) {
    const make = (stream: LogStream) =>
      new StreamPump(
        { ...options, stream, fromBytes: options.from[stream], finishBoundMs: logFinishBoundMs },
        () => this.#drained(),
      );
    this.#streams = { stdout: make("stdout"), stderr: make("stderr") };
  }

  write(stream: LogStream, bytes: Uint8Array): void {
    this.#streams[stream].write(bytes);
  }

  get full(): boolean {
    const { stdout, stderr } = this.#streams;
    return stdout.pendingBytes >= logPendingBytesMax || stderr.pendingBytes >= logPendingBytesMax;
  }

  async ready(): Promise<void> {
    while (this.full) await new Promise<void>((resolve) => this.#waiters.push(resolve));
  }

  /** Bytes of each stream seen so far, stored or not: where a new reading goes on. */
  offsets(): OutputOffsets {
    return { stdout: this.#streams.stdout.seenBytes, stderr: this.#streams.stderr.seenBytes };
  }

  counts(): Report["logs"] {
    return { stdout: this.#streams.stdout.counts(), stderr: this.#streams.stderr.counts() };
  }

  /** There is no more: resolves when all is stored, or given up within the bound and counted as dropped. */
  async finish(): Promise<void> {
    await Promise.all([this.#streams.stdout.finish(), this.#streams.stderr.finish()]);
  }

  #drained(): void {
    if (this.full) return;
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const waiter of waiters) waiter();
  }
}
