import { availableParallelism, totalmem } from "node:os";
import type { AttemptRef, ImageIdentity } from "../../../../schemas/messages/node.ts";
import { programOf } from "../../../domain/spec/programOf.ts";
import type { AgentLife } from "../../agentLife.ts";
import type { ExecutionSpec } from "../../executionSpec.ts";
import type { AttemptTerms, ImageWaiter, OutputOffsets, OutputSink, Runtime } from "../../ports.ts";
import type { ScriptRuntime } from "./scriptRuntime.ts";

/** Scripts in compartments, everything else on the node's own runtime. */
export class SplitRuntime implements Runtime {
  readonly #containers: Runtime;
  readonly #scripts: ScriptRuntime;
  /** Fences of scripts, those of earlier lives once they were observed. */
  readonly #fences = new Set<string>();

  constructor(containers: Runtime, scripts: ScriptRuntime) {
    this.#containers = containers;
    this.#scripts = scripts;
  }

  get kind() {
    return this.#containers.kind;
  }

  /** Of scripts the start at least: so it leaves a marker, and a script that died is never started again. */
  readonly outlivesAgent = true;

  get scriptTools(): readonly string[] {
    return this.#scripts.tools;
  }

  /** Without its engine the node has still the machine's room, for scripts. */
  async describe() {
    const facts = await this.#containers.describe();
    if (facts.unavailable === null) return facts;
    return { ...facts, cpus: availableParallelism(), memoryBytes: totalmem() };
  }

  async observe() {
    const [scripts, containers] = await Promise.all([this.observeScripts(), this.#containers.observe()]);
    return [...scripts, ...containers];
  }

  async observeScripts() {
    const found = await this.#scripts.observe();
    for (const { ref } of found) this.#fences.add(ref.fence);
    return found;
  }

  async resolveImage(
    spec: Pick<ExecutionSpec, "image" | "pull_policy" | "script" | "project">,
    pin: ImageIdentity | null,
    waiter: ImageWaiter,
  ) {
    return programOf(spec) === null
      ? this.#containers.resolveImage(spec, pin, waiter)
      : this.#scripts.resolveImage(pin);
  }

  create(
    ref: AttemptRef,
    spec: ExecutionSpec,
    terms: AttemptTerms,
    secretFiles: Readonly<Record<string, string>>,
  ) {
    if (programOf(spec) === null) return this.#containers.create(ref, spec, terms, secretFiles);
    this.#fences.add(ref.fence);
    return this.#scripts.create(ref, spec, terms);
  }

  async attach(ref: AttemptRef, sink: OutputSink) {
    return this.#isScript(ref) ? this.#scripts.attach(ref, sink) : this.#containers.attach(ref, sink);
  }

  follow(ref: AttemptRef, sink: OutputSink, options: { from: OutputOffsets; live: boolean }) {
    return this.#isScript(ref)
      ? this.#scripts.follow(ref, sink, options.from)
      : this.#containers.follow(ref, sink, options);
  }

  start(ref: AttemptRef) {
    return this.#isScript(ref) ? this.#scripts.start(ref) : this.#containers.start(ref);
  }

  startedAt(ref: AttemptRef) {
    return this.#isScript(ref) ? this.#scripts.startedAt(ref) : this.#containers.startedAt(ref);
  }

  wait(ref: AttemptRef, life: AgentLife) {
    return this.#isScript(ref) ? this.#scripts.wait(ref, life) : this.#containers.wait(ref, life);
  }

  async signal(ref: AttemptRef, signal: "SIGTERM" | "SIGKILL") {
    return this.#isScript(ref) ? this.#scripts.signal(ref) : this.#containers.signal(ref, signal);
  }

  async remove(ref: AttemptRef) {
    if (!this.#isScript(ref)) return this.#containers.remove(ref);
    await this.#scripts.remove(ref);
    this.#fences.delete(ref.fence);
  }

  #isScript({ fence }: AttemptRef): boolean {
    return this.#fences.has(fence);
  }
}
