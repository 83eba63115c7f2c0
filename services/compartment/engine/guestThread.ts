/**
 * One turn of the engine, seen from the parent; it is in a thread, or in a thread of a process of its own. The guest's questions come in one at a time;
 * the guest stands still until `answer` resolves. Wall time counts only while the guest runs, by its own measure; at its end
 * the thread is terminated from outside: native built-ins never look at any budget of the engine.
 */
import type { EngineCode } from "./engineModule.ts";
import { type GuestLink, linkThread } from "./guestLink.ts";
import { linkProcess } from "./processLink.ts";
import { RunningTime } from "./runningTime.ts";

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
    | "memory_rss_exceeded"
    | "engine_fault"
    | "divergence"
    | "replay_timeout"
    /** Whoever runs it ended it. */
    | "stopped"
    /** Its log is as large as whoever runs it allows. */
    | "audit_log_bytes"
    | "held";
  readonly thrown?: string | null;
  readonly authority?: string | null;
  /** Questions that were answered from the journal. */
  readonly replayed?: number;
  readonly polls?: number;
  readonly microtasks?: number;
  readonly heapBytes?: number;
  /** The most that its process was seen to have, when it has one of its own. */
  readonly rssBytes?: number;
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

export interface TurnLimits {
  readonly timeoutMs: number;
  /** For all that is answered from the journal. */
  readonly replayLimitMs?: number;
}

/** A thread with the engine in it, for one turn. */
export interface Guest {
  /** May be called once; afterwards the thread runs nothing any more, and is gone or going. */
  run(start: TurnStart, of: TurnLimits, answer: (question: Question) => Promise<Answer>): Promise<GuestEnd>;
  discard(): Promise<void>;
  /** Ends the turn from outside, whatever the guest does; before it is run, it ends when it is. */
  stop(reason: "stopped" | "audit_log_bytes"): void;
  /** True when it ended before it was run. */
  readonly failed: boolean;
}

/** Starts a thread that loads the engine and waits. Until it runs a turn, it does not keep the process alive. */
export function startGuestThread(options: GuestThreadOptions): Guest {
  return new LinkedGuest(linkThread(), options);
}

/** As {@link startGuestThread}, in a process of its own that ends when it takes more memory than it may. */
export function startGuestProcess(options: GuestThreadOptions, rssMbMax: number): Guest {
  return new LinkedGuest(linkProcess({ rssBytesMax: rssMbMax * 1024 * 1024 }), options);
}

class LinkedGuest implements Guest {
  readonly #link: GuestLink;
  /** Whether it was ready before it was run. */
  #early: unknown[] | null = null;
  #take: ((question: unknown[], ranMs: number) => void) | null = null;
  #timer: NodeJS.Timeout | undefined;
  #lastLook: NodeJS.Immediate | undefined;
  #time = new RunningTime(0);
  #replayLimitMs = REPLAY_LIMIT_MS;
  #settle: { readonly resolve: (end: GuestEnd) => void; readonly reject: (error: unknown) => void } | null =
    null;
  #fault: GuestEnd | null = null;
  #over = false;
  /** Then it stands still, is never answered, and is taken down beside what comes next: that is half of a short turn. */
  #saidItsEnd = false;
  #replaying = false;

  constructor(link: GuestLink, { engine, heapMbMax }: GuestThreadOptions) {
    this.#link = link;
    link.listen({
      onDeath: (end) => this.#finish(end),
      onQuestion: (question, { ranMs }) => {
        if (question[0] === "engine") {
          void Promise.all([engine, heapMbMax]).then(
            ([code, heapMb]) => link.giveEngine(code, heapMb * 1024 * 1024),
            () => this.#finish({ reason: "engine_fault" }),
          );
        } else if (this.#take === null) this.#early = question;
        else this.#take(question, ranMs);
      },
    });
  }

  async run(
    start: TurnStart,
    { timeoutMs, replayLimitMs = REPLAY_LIMIT_MS }: TurnLimits,
    answer: (question: Question) => Promise<Answer>,
  ) {
    this.#link.ref();
    this.#time = new RunningTime(timeoutMs);
    this.#replayLimitMs = replayLimitMs;
    const ended = new Promise<GuestEnd>((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    if (this.#fault !== null) this.#finish(this.#fault);
    this.#timer = setTimeout(() => this.#finish({ reason: "engine_fault" }), START_LIMIT_MS);
    this.#take = (question, ranMs) => void this.#answer({ question, ranMs }, start, answer);
    if (this.#early !== null) this.#take(this.#early, 0);
    try {
      const end = await ended;
      const rssBytes = this.#link.rssBytes();
      return rssBytes === null ? end : { ...end, rssBytes };
    } finally {
      const gone = this.#link.end();
      if (!this.#saidItsEnd) await gone;
    }
  }

  get failed(): boolean {
    return this.#fault !== null;
  }

  stop(reason: "stopped" | "audit_log_bytes"): void {
    this.#finish({ reason });
  }

  async discard(): Promise<void> {
    this.#over = true;
    await this.#link.end();
  }

  async #answer(
    { question, ranMs }: { readonly question: unknown[]; readonly ranMs: number },
    start: TurnStart,
    answer: (question: Question) => Promise<Answer>,
  ) {
    if (this.#over) return;
    if (question[0] === "ready") {
      this.#replaying = start.replay.length > 0;
      return this.#reply(start);
    }
    this.#pauseClock(ranMs);
    if (this.#over) return;
    if (question[0] === "end") {
      this.#saidItsEnd = true;
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
    this.#limit();
    this.#link.answer(value);
  }

  #limit(): void {
    if (this.#replaying) this.#endAfter(this.#replayLimitMs, "replay_timeout");
    else this.#endAfter(Math.max(1, this.#time.leftMs), "timeout");
  }

  /** A question that came while this process was busy with something else is taken first: it was asked in time, or says so. */
  #endAfter(limitMs: number, reason: "timeout" | "replay_timeout"): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#lastLook = setImmediate(() => this.#finish({ reason }));
    }, limitMs);
  }

  #pauseClock(ranMs: number): void {
    clearTimeout(this.#timer);
    clearImmediate(this.#lastLook);
    const isProgramsOwn = !this.#replaying;
    // The first live question ends the replay; from here on the program's own time counts.
    this.#replaying = false;
    if (isProgramsOwn && !this.#time.spend(ranMs)) this.#finish({ reason: "timeout" });
  }

  #finish(end: GuestEnd, error?: unknown): void {
    if (this.#over) return;
    if (this.#settle === null) {
      this.#fault ??= end;
      return;
    }
    this.#over = true;
    clearTimeout(this.#timer);
    clearImmediate(this.#lastLook);
    if (error === undefined) this.#settle.resolve(end);
    else this.#settle.reject(error);
  }
}
