import type { AttemptRef } from "../../../schemas/messages/node.ts";
import type { LogStream } from "../../../streams/subjects.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { AgentLife } from "../agentLife.ts";
import { logChunkBytesMax, logChunkDelayMs } from "../limits.ts";
import type { LogChunk, Logs } from "../ports.ts";
import { Abandoned, backoffMs, sleep } from "../repeat.ts";
import { ChunkBuffer } from "./chunkBuffer.ts";
import { cutAtCap } from "./cutAtCap.ts";

export interface StreamPumpOptions {
  readonly ref: AttemptRef;
  readonly stream: LogStream;
  readonly logs: Logs;
  readonly capBytes: number;
  readonly fromBytes: number;
  readonly finishBoundMs: number;
  /** Resolves when something else was stored on the same server. @throws Abandoned when the agent stops */
  readonly proveWritable: () => Promise<void>;
  readonly clock: Clock;
  readonly connected: () => boolean;
  readonly life: AgentLife;
  readonly onFailure: (error: unknown, tries: number) => void;
}

/**
 * One output stream on its way to LOGS: gathers bytes into chunks by size and time, sends one at a time, and
 * repeats each until it is stored. Beyond the cap it only counts.
 */
export class StreamPump {
  readonly #options: StreamPumpOptions;
  readonly #onDrained: () => void;
  readonly #pending = new ChunkBuffer(logChunkBytesMax);
  #firstAt = 0;
  #seenBytes: number;
  #storedBytes: number;
  #droppedBytes = 0;
  #timer: NodeJS.Timeout | null = null;
  #sending: Promise<void> | null = null;
  #finishing = false;
  /** Connected time lost to failures since the stream ended; beyond the bound the rest is given up. */
  #failedMs = 0;
  #proven = false;

  constructor(options: StreamPumpOptions, onDrained: () => void) {
    this.#options = options;
    this.#onDrained = onDrained;
    this.#seenBytes = options.fromBytes;
    this.#storedBytes = Math.min(options.fromBytes, options.capBytes);
  }

  get pendingBytes(): number {
    return this.#pending.bytes;
  }

  get seenBytes(): number {
    return this.#seenBytes;
  }

  counts(): { stored: number; dropped: number } {
    return { stored: this.#storedBytes, dropped: this.#droppedBytes };
  }

  write(bytes: Uint8Array): void {
    const { keep, drop } = cutAtCap(this.#seenBytes, bytes.length, this.#options.capBytes);
    this.#seenBytes += bytes.length;
    this.#droppedBytes += drop;
    if (keep === 0) return;
    if (this.#pending.bytes === 0) this.#firstAt = this.#options.clock.now();
    this.#pending.add(keep === bytes.length ? bytes : bytes.subarray(0, keep));
    if (this.#pending.bytes >= logChunkBytesMax) this.#flush();
    else if (this.#sending === null) this.#timer ??= setTimeout(() => this.#flush(), logChunkDelayMs);
  }

  /** Sends what is left, and the record of what was dropped. @throws Abandoned when the agent stops */
  async finish(): Promise<void> {
    this.#finishing = true;
    this.#flush();
    while (this.#sending !== null) await this.#sending;
    if (this.#options.life.over) throw new Abandoned();
    if (this.#droppedBytes > 0) await this.#append(this.#chunk(new Uint8Array(0), this.#droppedBytes));
  }

  #flush(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#sending !== null || this.#pending.bytes === 0) return;
    this.#sending = this.#sendAll()
      .catch((error) => {
        if (!(error instanceof Abandoned)) throw error;
      })
      .finally(() => {
        this.#sending = null;
      });
  }

  async #sendAll(): Promise<void> {
    while (this.#pending.bytes > 0) {
      const chunk = this.#chunk(this.#pending.take(), null);
      const stored = await this.#append(chunk);
      if (stored) this.#storedBytes += chunk.bytes.length;
      else this.#giveUp(chunk.bytes.length);
      this.#onDrained();
    }
  }

  #chunk(bytes: Uint8Array, dropped: number | null): LogChunk {
    const { ref, stream } = this.#options;
    return { ref, stream, offset: this.#storedBytes, at: this.#firstAt, bytes, dropped };
  }

  /**
   * True when stored, false when given up. Before the rest is given up something else must have been stored: a
   * server that takes nothing at all (its disk is full) could not take the report of the end either, so nobody is
   * kept waiting by waiting, and the bytes are still in the engine's log.
   */
  async #append(chunk: LogChunk): Promise<boolean> {
    for (let tries = 1; ; tries++) {
      const began = this.#options.clock.monotonicMs();
      try {
        await this.#options.logs.append(chunk);
        return true;
      } catch (error) {
        this.#options.onFailure(error, tries);
      }
      await sleep(backoffMs(tries), this.#options.life);
      if (!this.#finishing || !this.#options.connected()) continue;
      this.#failedMs += this.#options.clock.monotonicMs() - began;
      if (this.#failedMs < this.#options.finishBoundMs) continue;
      if (this.#proven) return false;
      await this.#options.proveWritable();
      this.#proven = true;
      this.#failedMs = 0;
    }
  }

  #giveUp(chunkBytes: number): void {
    this.#droppedBytes += chunkBytes + this.#pending.bytes;
    this.#pending.clear();
  }
}
