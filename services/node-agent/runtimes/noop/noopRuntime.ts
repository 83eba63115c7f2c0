import type { AttemptRef } from "../../../../schemas/messages/node.ts";
import type { Clock } from "../../../kernel/clock.ts";
import type { AgentLife } from "../../agentLife.ts";
import type { ExecutionSpec } from "../../executionSpec.ts";
import type {
  Attachment,
  AttemptTerms,
  CreateOutcome,
  ExitFacts,
  OutputSink,
  Runtime,
  RuntimeAttempt,
  RuntimeFacts,
  StartOutcome,
} from "../../ports.ts";
import { Abandoned, after } from "../../repeat.ts";
import { type NoopProgram, parseArgv } from "./parseArgv.ts";

interface NoopAttempt {
  readonly ref: AttemptRef;
  readonly program: NoopProgram;
  readonly terms: AttemptTerms;
  sink: OutputSink | null;
  startedAt: number | null;
  exit: ExitFacts | null;
  cancelSleep: () => void;
  onExit: ((exit: ExitFacts) => void)[];
}

const eof: Attachment = { ended: Promise.resolve("eof"), close: () => {} };
const created: CreateOutcome = { is: "created" };
const started: StartOutcome = { is: "started" };

/**
 * Runs nothing: takes a task through every state at next to no cost, for load and race tests and for nodes
 * that only try out the control plane. See `parseArgv` for the few things it can pretend.
 */
export class NoopRuntime implements Runtime {
  readonly kind = "noop";
  readonly outlivesAgent: boolean;
  readonly #clock: Clock;
  readonly #attempts = new Map<string, NoopAttempt>();
  /** How often each fence was started; tests of crashes look at it. */
  readonly starts = new Map<string, number>();
  readonly #countStarts: boolean;

  /** @param options.outlivesAgent true only in tests that give one runtime to several lives of an agent */
  constructor(clock: Clock, options: { readonly outlivesAgent: boolean } = { outlivesAgent: false }) {
    this.#clock = clock;
    this.outlivesAgent = options.outlivesAgent;
    this.#countStarts = options.outlivesAgent;
  }

  async describe(): Promise<RuntimeFacts> {
    return { engine: "noop", cpus: 1_000_000, memoryBytes: Number.MAX_SAFE_INTEGER, unavailable: null };
  }

  async observe(): Promise<readonly RuntimeAttempt[]> {
    return [...this.#attempts.values()].map(({ ref, terms, startedAt, exit }) => ({
      ref,
      terms,
      state: exit !== null ? "exited" : startedAt !== null ? "running" : "created",
    }));
  }

  async resolveImage(spec: Pick<ExecutionSpec, "image">) {
    return { is: "resolved", image: { ref: spec.image, repo_digest: null, image_id: null } } as const;
  }

  async create(ref: AttemptRef, spec: ExecutionSpec, terms: AttemptTerms): Promise<CreateOutcome> {
    if (this.#attempts.has(ref.fence)) return { is: "exists" };
    this.#attempts.set(ref.fence, {
      ref,
      terms,
      program: parseArgv([...(spec.entrypoint ?? []), ...spec.command], ref.attempt),
      sink: null,
      startedAt: null,
      exit: null,
      cancelSleep: () => {},
      onExit: [],
    });
    return created;
  }

  async attach(ref: AttemptRef, sink: OutputSink): Promise<Attachment> {
    const attempt = this.#attempts.get(ref.fence);
    if (attempt === undefined || attempt.exit !== null) return eof;
    attempt.sink = sink;
    // All its output is written in one go at the start, so the attach never has more to bring.
    return eof;
  }

  follow(
    ref: AttemptRef,
    sink: OutputSink,
    options: { from: Readonly<Record<"stdout", number>> },
  ): Attachment {
    const attempt = this.#attempts.get(ref.fence);
    if (attempt !== undefined && attempt.startedAt !== null) {
      const bytes = Buffer.from(attempt.program.stdout).subarray(options.from.stdout);
      if (bytes.length > 0) sink.write("stdout", bytes);
    }
    return eof;
  }

  async start(ref: AttemptRef): Promise<StartOutcome> {
    const attempt = this.#attempts.get(ref.fence);
    if (attempt === undefined) return { is: "failed", message: "there is no such attempt" };
    if (attempt.startedAt !== null) return { is: "already" };
    if (this.#countStarts) this.starts.set(ref.fence, (this.starts.get(ref.fence) ?? 0) + 1);
    attempt.startedAt = this.#clock.now();
    const { stdout, sleepMs, exitCode } = attempt.program;
    if (stdout !== "") attempt.sink?.write("stdout", Buffer.from(stdout));
    if (sleepMs > 0) attempt.cancelSleep = after(sleepMs, () => this.#end(attempt, exitCode));
    else this.#end(attempt, exitCode);
    return started;
  }

  async startedAt(ref: AttemptRef): Promise<number | null> {
    return this.#attempts.get(ref.fence)?.startedAt ?? null;
  }

  async wait(ref: AttemptRef, life: AgentLife): Promise<ExitFacts | "gone"> {
    const attempt = this.#attempts.get(ref.fence);
    if (attempt === undefined) return "gone";
    if (attempt.exit !== null) return attempt.exit;
    return new Promise((resolve, reject) => {
      const forget = life.onEnd(() => reject(new Abandoned()));
      attempt.onExit.push((exit) => {
        forget();
        resolve(exit);
      });
    });
  }

  async signal(ref: AttemptRef, signal: "SIGTERM" | "SIGKILL"): Promise<"sent" | "not_running"> {
    const attempt = this.#attempts.get(ref.fence);
    if (attempt === undefined || attempt.startedAt === null || attempt.exit !== null) return "not_running";
    attempt.cancelSleep();
    this.#end(attempt, signal === "SIGTERM" ? 143 : 137);
    return "sent";
  }

  async remove(ref: AttemptRef): Promise<void> {
    this.#attempts.get(ref.fence)?.cancelSleep();
    this.#attempts.delete(ref.fence);
  }

  #end(attempt: NoopAttempt, exitCode: number): void {
    attempt.exit = {
      exitCode,
      oomKilled: false,
      startedAt: attempt.startedAt,
      finishedAt: this.#clock.now(),
      interrupted: false,
    };
    const listeners = attempt.onExit;
    attempt.onExit = [];
    for (const listener of listeners) listener(attempt.exit);
  }
}
