/** The way between a guest and its parent. What is asked and answered is the same, wherever the guest lives. */
import { MessageChannel, Worker } from "node:worker_threads";
import { imageForNextThread, keepImage } from "./engineImage.ts";
import { type EngineCode, workerPath } from "./engineModule.ts";
import type { GuestEnd } from "./guestThread.ts";

export interface GuestLink {
  listen(of: {
    /** @param of.ranMs since it was answered, by its own measure */
    readonly onQuestion: (question: unknown[], of: { readonly ranMs: number }) => void;
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

/**
 * In the memory shared with a thread: 1 when it is answered; the characters that follow, in UTF-16, or this number; the
 * milliseconds that it ran before its question.
 */
const SIGNAL_BYTES = 16;
const AS_MESSAGE = -1;

/** What a thread says when it cannot go on: that its memory grew over the budget, or that its engine is spoilt. */
export function deathOf(message: unknown): GuestEnd {
  const [kind, heapBytes] = message as [string, number];
  return kind === "heap" ? { reason: "memory_heap_exceeded", heapBytes } : { reason: "engine_fault" };
}

/** Longer answers, and what is no text, go as messages, which take several times as long. */
const SHARED_CHARACTERS = 64 * 1024;

export function linkThread(): GuestLink {
  const { port1: port, port2 } = new MessageChannel();
  const signal = new SharedArrayBuffer(SIGNAL_BYTES + SHARED_CHARACTERS * 2);
  const flag = new Int32Array(signal, 0, 2);
  const ran = new Float64Array(signal, 8, 1);
  const shared = Buffer.from(signal, SIGNAL_BYTES);
  const worker = new Worker(workerPath, {
    workerData: { port: port2, signal },
    transferList: [port2],
    execArgv: [],
    argv: [],
    env: {},
    resourceLimits: guestResourceLimits,
  });
  let takesImageOf: EngineCode | null = null;
  const answer = (value: unknown) => {
    if (typeof value === "string" && value.length <= SHARED_CHARACTERS) {
      shared.write(value, "utf16le");
      flag[1] = value.length;
    } else {
      port.postMessage(value);
      flag[1] = AS_MESSAGE;
    }
    Atomics.store(flag, 0, 1);
    Atomics.notify(flag, 0);
  };
  return {
    listen({ onQuestion, onDeath }) {
      worker.on("message", (message) => onDeath(deathOf(message)));
      worker.on("error", () => onDeath({ reason: "engine_fault" }));
      worker.on("exit", () => onDeath({ reason: "engine_fault" }));
      port.on("message", (message: unknown[]) => {
        if (message[0] !== "image") return onQuestion(message, { ranMs: ran[0]! });
        // Once it has a program, it is not believed.
        if (takesImageOf !== null) keepImage(takesImageOf, message[1]);
        takesImageOf = null;
      });
      worker.unref();
      port.unref();
    },
    giveEngine(code, heapBytesMax) {
      const image = imageForNextThread(code);
      if (image === "take") takesImageOf = code;
      answer({ wasmModule: code.wasmModule, preludeText: code.preludeText, heapBytesMax, image });
    },
    answer(value) {
      takesImageOf = null;
      answer(value);
    },
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
