/**
 * One turn of the engine in a thread of its own, seen from the parent. The guest's questions come in one at a time;
 * the guest stands still until `answer` resolves. Wall time counts only while the guest runs, and at its end the thread
 * is terminated from outside: native built-ins never look at any budget of the engine.
 */
import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import type { Clock } from "../../kernel/clock.ts";
import { type EngineCode, workerPath } from "./engineModule.ts";

/** What the program asks: the surface, and up to two JSON texts. */
export type Question = readonly [op: string, a: string, b: string];
/** To the guest; `held` means that it is never answered: nothing of the program runs any more. */
export type Answer = { readonly value: unknown } | { readonly held: true };

export interface TurnStart {
  /** JSON text with `start_ms`, `seed`, `context`, `scheduled`. */
  readonly begin: string;
  readonly source: string;
  readonly sourceName: string;
  /** Name of each package that is a folder, and of the module that is its entry. */
  readonly packageMains: Readonly<Record<string, string>>;
  /** Hash of each question that an earlier tick answered, and the answer; empty for a run. */
  readonly replay: readonly (readonly [hash: string, answer: unknown])[];
  readonly microtasksMax: number;
  /** Null: steps are not limited. */
  readonly pollsMax: number | null;
}

/** How the guest ended. Texts are JSON made by the prelude, or null when the guest could not even say that. */
export interface GuestEnd {
  readonly reason:
    | null
    | "exception"
    | "timeout"
    | "step_budget_exceeded"
    | "microtask_budget_exceeded"
    | "memory_heap_exceeded"
    | "engine_fault"
    | "divergence"
    | "replay_timeout"
    | "held";
  readonly thrown?: string | null;
  readonly authority?: string | null;
  /** Questions that were answered from the journal. */
  readonly replayed?: number;
  readonly polls?: number;
  readonly microtasks?: number;
  readonly heapBytes?: number;
}

/** Re-execution is our cost, not the program's: it has a limit of its own. */
const REPLAY_LIMIT_MS = 60_000;

/** A thread that does not come up within this is a fault: it does not depend on the program. */
const START_LIMIT_MS = 60_000;

export interface GuestThreadOptions {
  /** The thread comes up while this is still being made. */
  readonly engine: Promise<EngineCode>;
  /** May be told later than the thread is started: it needs it when it is up. */
  readonly heapMbMax: Promise<number>;
}

/** A thread with the engine in it, for one turn. */
export interface Guest {
  /** May be called once; the thread is gone afterwards. */
  run(
    start: TurnStart,
    of: { readonly timeoutMs: number; readonly clock: Clock },
    answer: (question: Question) => Promise<Answer>,
  ): Promise<GuestEnd>;
  discard(): Promise<void>;
  /** True when it ended before it was run. */
  readonly failed: boolean;
}

/** Starts a thread that loads the engine and waits. Until it runs a turn, it does not keep the process alive. */
export function startGuestThread(options: GuestThreadOptions): Guest {
  const { port1: port, port2 } = new MessageChannel();
  const signal = new SharedArrayBuffer(4);
  const worker = new Worker(workerPath, {
    workerData: { port: port2, signal },
    transferList: [port2],
    execArgv: [],
    argv: [],
    env: {},
    // The host's stack must outlast the guest's: deep input overflowed V8 first with the default size.
    resourceLimits: { stackSizeMb: 64, maxOldGenerationSizeMb: 256 },
  });
  return new GuestThread(worker, port, new Int32Array(signal), options);
}

class GuestThread implements Guest {
  readonly #worker: Worker;
  readonly #port: MessagePort;
  readonly #flag: Int32Array;
  readonly #early: unknown[][] = [];
  #take: ((question: unknown[]) => void) | null = null;
  #timer: NodeJS.Timeout | undefined;
  #clock: Clock | null = null;
  #runningSinceMs = 0;
  #leftMs = 0;
  #settle: { readonly resolve: (end: GuestEnd) => void; readonly reject: (error: unknown) => void } | null =
    null;
  #fault: GuestEnd | null = null;
  #over = false;
  #replaying = false;

  constructor(
    worker: Worker,
    port: MessagePort,
    flag: Int32Array,
    { engine, heapMbMax }: GuestThreadOptions,
  ) {
    this.#worker = worker;
    this.#port = port;
    this.#flag = flag;
    const fault = () => this.#finish({ reason: "engine_fault" });
    worker.on("message", ([kind, heapBytes]: [string, number]) =>
      this.#finish(
        kind === "heap" ? { reason: "memory_heap_exceeded", heapBytes } : { reason: "engine_fault" },
      ),
    );
    worker.on("error", fault);
    worker.on("exit", fault);
    port.on("message", (question: unknown[]) => {
      if (question[0] === "engine") {
        void Promise.all([engine, heapMbMax]).then(
          ([code, heapMb]) => this.#post({ ...code, heapBytesMax: heapMb * 1024 * 1024 }),
          fault,
        );
      } else if (this.#take === null) this.#early.push(question);
      else this.#take(question);
    });
    worker.unref();
    port.unref();
  }

  async run(
    start: TurnStart,
    { timeoutMs, clock }: { readonly timeoutMs: number; readonly clock: Clock },
    answer: (question: Question) => Promise<Answer>,
  ) {
    this.#worker.ref();
    this.#port.ref();
    this.#clock = clock;
    this.#leftMs = timeoutMs;
    const ended = new Promise<GuestEnd>((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    if (this.#fault !== null) this.#finish(this.#fault);
    this.#timer = setTimeout(() => this.#finish({ reason: "engine_fault" }), START_LIMIT_MS);
    this.#take = (question) => void this.#answer(question, start, answer);
    for (const question of this.#early) this.#take(question);
    try {
      return await ended;
    } finally {
      await this.#worker.terminate();
    }
  }

  get failed(): boolean {
    return this.#fault !== null;
  }

  async discard(): Promise<void> {
    this.#over = true;
    this.#port.close();
    await this.#worker.terminate();
  }

  async #answer(question: unknown[], start: TurnStart, answer: (question: Question) => Promise<Answer>) {
    if (this.#over) return;
    if (question[0] === "ready") {
      this.#replaying = start.replay.length > 0;
      return this.#reply(start);
    }
    this.#pauseClock();
    if (this.#over) return;
    if (question[0] === "end") {
      const end = question[1] as Partial<GuestEnd>;
      return this.#finish({ reason: null, ...end });
    }
    try {
      const given = await answer(question as unknown as Question);
      if (this.#over) return;
      if ("held" in given) return this.#finish({ reason: "held" });
      this.#reply(given.value);
    } catch (error) {
      // A failure of our own, such as a full disk under the log: the turn ends, and the caller hears of it.
      this.#finish({ reason: "engine_fault" }, error);
    }
  }

  #reply(value: unknown): void {
    this.#resumeClock();
    this.#post(value);
  }

  #post(value: unknown): void {
    this.#port.postMessage(value);
    Atomics.store(this.#flag, 0, 1);
    Atomics.notify(this.#flag, 0);
  }

  #resumeClock(): void {
    clearTimeout(this.#timer);
    if (this.#replaying) {
      this.#timer = setTimeout(() => this.#finish({ reason: "replay_timeout" }), REPLAY_LIMIT_MS);
      return;
    }
    this.#runningSinceMs = this.#clock!.monotonicMs();
    this.#timer = setTimeout(() => this.#finish({ reason: "timeout" }), Math.max(1, this.#leftMs));
  }

  #pauseClock(): void {
    clearTimeout(this.#timer);
    // The first live question ends the replay; from here on the program's own time counts.
    this.#replaying = false;
    if (this.#runningSinceMs === 0) return;
    this.#leftMs -= this.#clock!.monotonicMs() - this.#runningSinceMs;
    this.#runningSinceMs = 0;
    if (this.#leftMs <= 0) this.#finish({ reason: "timeout" });
  }

  #finish(end: GuestEnd, error?: unknown): void {
    if (this.#over) return;
    if (this.#settle === null) {
      this.#fault ??= end;
      return;
    }
    this.#over = true;
    clearTimeout(this.#timer);
    this.#port.close();
    if (error === undefined) this.#settle.resolve(end);
    else this.#settle.reject(error);
  }
}
