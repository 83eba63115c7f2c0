import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { AttemptRef, ImageIdentity } from "../../../../schemas/messages/node.ts";
import { programOf, toolsNeeded } from "../../../domain/spec/programOf.ts";
import type { Clock } from "../../../kernel/clock.ts";
import type { AgentLife } from "../../agentLife.ts";
import type { ArtifactFolders } from "../../artifacts/artifactFolders.ts";
import type { ExecutionSpec } from "../../executionSpec.ts";
import { scriptsStopBoundMs } from "../../limits.ts";
import type {
  AgentLog,
  Attachment,
  AttemptTerms,
  CreateOutcome,
  ExitFacts,
  ImageOutcome,
  OutputOffsets,
  OutputSink,
  RuntimeAttempt,
  StartOutcome,
} from "../../ports.ts";
import { Abandoned } from "../../repeat.ts";
import type { AttemptFiles } from "./attemptFiles.ts";
import { OutputSpool, readSpool } from "./outputSpool.ts";
import type { ScriptEnd, ScriptEngine, ScriptJob } from "./scriptEngine.ts";
import { AUDIT_LOG_NAME, STOPPED_CODE, scriptExit } from "./scriptExit.ts";

export interface ScriptRuntimeOptions {
  readonly engine: ScriptEngine;
  readonly files: AttemptFiles;
  readonly artifacts: ArtifactFolders;
  readonly clock: Clock;
  readonly life: AgentLife;
  readonly log: AgentLog;
}

/** An attempt that this life of the agent made. */
interface LiveScript {
  readonly ref: AttemptRef;
  readonly terms: AttemptTerms;
  /** In memory alone: it holds the values of credentials. */
  readonly spec: ExecutionSpec;
  readonly stop: AbortController;
  readonly spool: OutputSpool;
  startedAt: number | null;
  exit: ExitFacts | null;
  readonly exited: Promise<ExitFacts>;
  readonly announceExit: (exit: ExitFacts) => void;
  /** Resolves when nothing of it runs any more, also where its end is not told. */
  ran: Promise<void>;
}

const fromTheStart: OutputOffsets = { stdout: 0, stderr: 0 };

/**
 * Runs scripts in compartments of this process: a fresh engine in a thread of its own for each, in a process of its own
 * where its budgets ask for that.
 *
 * INV-DIES-WITH-AGENT: a script does not outlive its agent. What was started and has no exit on disk is gone for a later
 * life, and counts as an attempt that may have run.
 */
export class ScriptRuntime {
  readonly #options: ScriptRuntimeOptions;
  readonly #live = new Map<string, LiveScript>();

  constructor(options: ScriptRuntimeOptions) {
    this.#options = options;
    options.life.onEnd(() => {
      for (const one of this.#live.values()) one.stop.abort();
    });
  }

  get tools(): readonly string[] {
    return this.#options.engine.tools;
  }

  get engineName(): string {
    return this.#options.engine.identity.name;
  }

  async observe(): Promise<readonly RuntimeAttempt[]> {
    const found = await this.#options.files.list();
    return found
      .filter((one) => one.startedAt !== null || this.#live.has(one.ref.fence))
      .map(({ ref, terms, exit, startedAt }) => {
        const runs = this.#live.has(ref.fence) && exit === null;
        return { ref, terms, state: !runs ? "exited" : startedAt === null ? "created" : "running" };
      });
  }

  /** The engine takes the place of an image: one that another version evaluated is run by that version or not at all. */
  resolveImage(pin: ImageIdentity | null): ImageOutcome {
    const { name, sha256 } = this.#options.engine.identity;
    const image = { ref: name, repo_digest: null, image_id: `sha256:${sha256}` };
    if (pin === null || pin.image_id === image.image_id) return { is: "resolved", image };
    return {
      is: "unavailable",
      message: `this node evaluates scripts with ${name} (${image.image_id}), and not with ${pin.ref} (${pin.image_id})`,
    };
  }

  async create(ref: AttemptRef, spec: ExecutionSpec, terms: AttemptTerms): Promise<CreateOutcome> {
    if (this.#live.has(ref.fence)) return { is: "exists" };
    const program = programOf(spec);
    if (program === null) throw new Error("a container's spec came to the compartment");
    const missing = toolsNeeded(program).find((tool) => !this.tools.includes(tool));
    if (missing !== undefined)
      return { is: "refused", message: `this node does not offer the tool ${missing} to scripts` };
    const { files, artifacts } = this.#options;
    await files.create(ref, terms);
    await artifacts.prepare(ref);
    let announceExit: (exit: ExitFacts) => void = () => {};
    const exited = new Promise<ExitFacts>((resolve) => {
      announceExit = resolve;
    });
    this.#live.set(ref.fence, {
      ref,
      terms,
      spec,
      stop: new AbortController(),
      spool: new OutputSpool(files.folderOf(ref), terms.outputBytesMax),
      startedAt: null,
      exit: null,
      exited,
      announceExit,
      ran: Promise.resolve(),
    });
    return { is: "created" };
  }

  attach(ref: AttemptRef, sink: OutputSink): Attachment {
    return this.follow(ref, sink, fromTheStart);
  }

  follow(ref: AttemptRef, sink: OutputSink, from: OutputOffsets): Attachment {
    const live = this.#live.get(ref.fence);
    return live === undefined
      ? readSpool(this.#options.files.folderOf(ref), sink, from)
      : live.spool.follow(sink, from);
  }

  async start(ref: AttemptRef): Promise<StartOutcome> {
    const live = this.#live.get(ref.fence);
    if (live === undefined) return { is: "failed", message: "there is no such script" };
    if (live.startedAt !== null) return { is: "already" };
    live.startedAt = this.#options.clock.now();
    await this.#options.files.started(ref, live.startedAt);
    live.ran = this.#run(live);
    return { is: "started" };
  }

  async startedAt(ref: AttemptRef): Promise<number | null> {
    const live = this.#live.get(ref.fence);
    return live === undefined ? ((await this.#find(ref))?.startedAt ?? null) : live.startedAt;
  }

  async wait(ref: AttemptRef, life: AgentLife): Promise<ExitFacts | "gone"> {
    const live = this.#live.get(ref.fence);
    if (live === undefined) return (await this.#find(ref))?.exit ?? "gone";
    return new Promise((resolve, reject) => {
      const forget = life.onEnd(() => reject(new Abandoned()));
      void live.exited.then((exit) => {
        forget();
        resolve(exit);
      });
    });
  }

  /** There is nobody inside to be asked: both signals end it at once. */
  signal(ref: AttemptRef): "sent" | "not_running" {
    const live = this.#live.get(ref.fence);
    if (live === undefined || live.startedAt === null || live.exit !== null) return "not_running";
    live.stop.abort();
    return "sent";
  }

  async remove(ref: AttemptRef): Promise<void> {
    const live = this.#live.get(ref.fence);
    live?.stop.abort();
    await live?.ran;
    live?.spool.end();
    this.#live.delete(ref.fence);
    await this.#options.artifacts.remove(ref);
    await this.#options.files.remove(ref);
  }

  /** Ends what runs, for the end of the process. */
  async close(): Promise<void> {
    const all = [...this.#live.values()];
    for (const one of all) one.stop.abort();
    const bound = new Promise((resolve) => setTimeout(resolve, scriptsStopBoundMs).unref());
    await Promise.race([Promise.all(all.map((one) => one.ran)), bound]);
    await this.#options.engine.close();
  }

  async #find(ref: AttemptRef) {
    return (await this.#options.files.list()).find((one) => one.ref.fence === ref.fence);
  }

  async #run(live: LiveScript): Promise<void> {
    const { clock, files, life, log } = this.#options;
    const end = await this.#evaluate(live).catch((error): ScriptEnd => {
      log.error({ ...live.ref, error }, "a script could not be run");
      return { reason: "engine_fault", message: "the node could not run it", detail: null, head: null };
    });
    const { stderr, ...facts } = scriptExit(end);
    this.#tellEnd(live, stderr);
    const exit = {
      ...facts,
      startedAt: live.startedAt,
      finishedAt: clock.now(),
      interrupted: false,
    };
    // Ended because the agent ends: the next life says that it is gone, as after a kill.
    if (life.over && facts.exitCode === STOPPED_CODE) return;
    await files.exited(live.ref, exit).catch((error) => {
      log.error({ ...live.ref, error }, "the end of a script cannot be kept; it is told once");
    });
    live.exit = exit;
    live.announceExit(exit);
  }

  /** The last words and the end of the output. A disk that is full takes the words, and not the end of the run. */
  #tellEnd({ ref, spool }: LiveScript, stderr: string): void {
    try {
      if (stderr !== "") spool.write("stderr", stderr);
    } catch (error) {
      this.#options.log.error({ ...ref, error }, "why a script ended cannot be kept");
    }
    spool.end();
  }

  async #evaluate({ ref, spec, terms, stop, spool }: LiveScript): Promise<ScriptEnd> {
    const { engine, files, artifacts } = this.#options;
    const folder = join(files.folderOf(ref), "program");
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const shared = await artifacts.prepare(ref);
    return engine.run({
      runId: `${ref.task}-${ref.attempt}`,
      program: spec.script == null ? { project: spec.project! } : { script: spec.script },
      folder,
      auditLog: join(shared, AUDIT_LOG_NAME),
      artifacts: shared,
      timeoutMs: terms.timeoutMs,
      memoryBytes: spec.resources.memory,
      secrets: secretsOf(spec),
      ...placesOf(spec),
      stop: stop.signal,
      onEvent: (line) => spool.write("stdout", `${line}\n`),
    });
  }
}

function placesOf({ environment }: ExecutionSpec): Pick<ScriptJob, "process" | "model"> {
  const { CAZI_PROCESS_URL: process, CAZI_MODEL_PLANE: model, CAZI_MODEL_URL: endpoint } = environment;
  const { CAZI_WORKLOAD_TOKEN: token } = environment;
  if (token === undefined) return { process: null, model: null };
  return {
    process: process === undefined ? null : { url: process, token },
    model: model === undefined || endpoint === undefined ? null : { url: model, token, endpoint },
  };
}

/** A script has no environment: what is here came from its connections, and from Cazi itself. */
function secretsOf({ environment }: ExecutionSpec): Record<string, string> {
  const open = new Set([
    "CAZI_TASK_ID",
    "CAZI_ATTEMPT",
    "CAZI_ARTIFACT_URL",
    "CAZI_PROCESS_URL",
    "CAZI_MODEL_PLANE",
    "CAZI_MODEL_URL",
    "CAZI_SECRETS",
  ]);
  const trace = new Set(["TRACEPARENT", "TRACESTATE"]);
  return Object.fromEntries(
    Object.entries(environment).filter(([name]) => !open.has(name) && !trace.has(name)),
  );
}
