/** The way between a guest and its parent. What is asked and answered is the same, wherever the guest lives. */
import { MessageChannel, Worker } from "node:worker_threads";
import { type EngineCode, workerPath } from "./engineModule.ts";
import type { GuestEnd } from "./guestThread.ts";

export interface GuestLink {
  listen(of: {
    readonly onQuestion: (question: unknown[]) => void;
    /** It ended by itself: a fault, or memory. */
    readonly onDeath: (end: GuestEnd) => void;
  }): void;
  giveEngine(code: EngineCode, heapBytesMax: number): void;
  answer(value: unknown): void;
  /** From here on it keeps this process alive. */
  ref(): void;
  /** The most memory that its process was seen to have; null when it is in this one. */
  rssBytes(): number | null;
  /** Ends it at once, whatever it does. */
  end(): Promise<void>;
}

/** The host's stack must outlast the guest's: deep input overflowed V8 first with the default size. */
export const guestResourceLimits = { stackSizeMb: 64, maxOldGenerationSizeMb: 256 };

/** What a thread says when it cannot go on: that its memory grew over the budget, or that its engine is spoilt. */
export function deathOf(message: unknown): GuestEnd {
  const [kind, heapBytes] = message as [string, number];
  return kind === "heap" ? { reason: "memory_heap_exceeded", heapBytes } : { reason: "engine_fault" };
}

export function linkThread(): GuestLink {
  const { port1: port, port2 } = new MessageChannel();
  const signal = new SharedArrayBuffer(4);
  const flag = new Int32Array(signal);
  const worker = new Worker(workerPath, {
    workerData: { port: port2, signal },
    transferList: [port2],
    execArgv: [],
    argv: [],
    env: {},
    resourceLimits: guestResourceLimits,
  });
  const answer = (value: unknown) => {
    port.postMessage(value);
    Atomics.store(flag, 0, 1);
    Atomics.notify(flag, 0);
  };
  return {
    listen({ onQuestion, onDeath }) {
      worker.on("message", (message) => onDeath(deathOf(message)));
      worker.on("error", () => onDeath({ reason: "engine_fault" }));
      worker.on("exit", () => onDeath({ reason: "engine_fault" }));
      port.on("message", onQuestion);
      worker.unref();
      port.unref();
    },
    giveEngine: ({ wasmModule, preludeText }, heapBytesMax) =>
      answer({ wasmModule, preludeText, heapBytesMax }),
    answer,
    ref() {
      worker.ref();
      port.ref();
    },
    rssBytes: () => null,
    async end() {
      port.close();
      await worker.terminate();
    },
  };
}
