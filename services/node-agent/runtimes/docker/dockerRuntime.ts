import type Docker from "dockerode";
import type { ContainerInfo } from "dockerode";
import type { AttemptRef, ImageIdentity } from "../../../../schemas/messages/node.ts";
import type { Clock } from "../../../kernel/clock.ts";
import type { AgentLife } from "../../agentLife.ts";
import type { ArtifactFolders } from "../../artifacts/artifactFolders.ts";
import { SECRETS_FOLDER } from "../../attempt/containerEnvironment.ts";
import type { ExecutionSpec } from "../../executionSpec.ts";
import { pullStallMs, pullsAtOnceMax } from "../../limits.ts";
import type {
  AgentLog,
  Attachment,
  AttemptTerms,
  CreateOutcome,
  ExitFacts,
  ImageOutcome,
  ImageWaiter,
  OutputOffsets,
  OutputSink,
  Runtime,
  RuntimeAttempt,
  RuntimeFacts,
  StartOutcome,
} from "../../ports.ts";
import { STDIN_TARGET, type StdinFiles } from "../../stdin/stdinFiles.ts";
import { askRetryAfter } from "./askRetryAfter.ts";
import { type ContainerPolicy, containerConfig } from "./containerConfig.ts";
import { fromLabels, type LabelOwner, labelFilter, toLabels } from "./containerLabels.ts";
import { attachOutput, followOutput } from "./containerOutput.ts";
import { callEngine, unreachable } from "./engineErrors.ts";
import { ImageStore } from "./imageStore.ts";
import type { MountPolicy, ResolvedMount } from "./mountRules.ts";
import type { PrivateImages } from "./privateImages.ts";
import type { PulledImages } from "./pulledImages.ts";
import { PullTurns } from "./pullTurns.ts";
import { resolveMounts } from "./resolveMounts.ts";
import type { SecretFolders } from "./secretFolders.ts";
import { stateOf } from "./stateOf.ts";
import { engineTime, waitForExit } from "./waitForExit.ts";

export interface DockerRuntimeOptions {
  readonly docker: Docker;
  readonly clock: Clock;
  /** From 0 up to 1: spreads the tries of pulls. */
  readonly random: () => number;
  readonly owner: LabelOwner;
  readonly policy: ContainerPolicy & { readonly mounts: MountPolicy };
  /** Where containers leave files; null where none can. */
  readonly artifacts: ArtifactFolders | null;
  /** The output of tasks before; null where the engine cannot mount a file of this machine. */
  readonly stdin: StdinFiles | null;
  /** For the files of connections; null where the engine cannot mount any of this machine. */
  readonly secrets: SecretFolders | null;
  readonly privates: PrivateImages;
  readonly pulled: PulledImages;
  readonly log: AgentLog;
}

/**
 * Runs attempts as containers of a Docker engine. All that it knows of them is in the engine: names and labels
 * carry the attempt, so an agent that remembers nothing finds everything again. "Already there" and "not there"
 * are outcomes.
 */
export class DockerRuntime implements Runtime {
  readonly kind = "docker";
  readonly outlivesAgent = true;
  readonly #docker: Docker;
  readonly #options: DockerRuntimeOptions;
  #artifacts: ArtifactFolders | null;
  readonly #images: ImageStore;
  #observed = false;
  #info: Omit<RuntimeFacts, "unavailable"> | null = null;

  constructor(options: DockerRuntimeOptions) {
    this.#docker = options.docker;
    this.#options = options;
    this.#artifacts = options.artifacts;
    this.#images = new ImageStore({
      docker: options.docker,
      clock: options.clock,
      random: options.random,
      askRetryAfter,
      privates: options.privates,
      pulled: options.pulled,
      turns: new PullTurns(pullsAtOnceMax),
      stallMs: pullStallMs,
    });
  }

  async describe(): Promise<RuntimeFacts> {
    try {
      // The full answer costs the engine some milliseconds of its locks; a ping costs none.
      if (this.#info === null) this.#info = await this.#describeEngine();
      else await this.#docker.ping();
      return { ...this.#info, unavailable: null };
    } catch (error) {
      this.#info = null;
      return { engine: null, cpus: 0, memoryBytes: 0, unavailable: unreachable(error).message };
    }
  }

  async observe(): Promise<readonly RuntimeAttempt[]> {
    const answer = await callEngine(() =>
      this.#docker.listContainers({ all: true, filters: { label: labelFilter(this.#options.owner) } }),
    );
    if (!answer.ok) throw unreachable(new Error(answer.message));
    const found = answer.value.map(toAttempt).filter((one) => one !== null);
    // Before this life makes its first container: what is left of others' is of no container.
    if (!this.#observed) {
      const here = found.map((one) => one.ref);
      await this.#options.secrets?.removeOthers(here);
      await this.#options.stdin?.removeOthers(here);
    }
    this.#observed = true;
    return found;
  }

  resolveImage(
    spec: Pick<ExecutionSpec, "image" | "pull_policy">,
    pin: ImageIdentity | null,
    waiter: ImageWaiter,
  ): Promise<ImageOutcome> {
    return this.#images.resolve(spec, pin, waiter);
  }

  async create(
    ref: AttemptRef,
    spec: ExecutionSpec,
    terms: AttemptTerms,
    secretFiles: Readonly<Record<string, string>>,
  ): Promise<CreateOutcome> {
    const { owner, policy } = this.#options;
    const mounts = await resolveMounts(spec.mounts, policy.mounts);
    if (typeof mounts === "string") return { is: "refused", message: mounts };
    const secrets = await this.#secretsMount(ref, secretFiles);
    if (typeof secrets === "string") return { is: "refused", message: secrets };
    const stdin = spec.stdin_from_prev ? await this.#stdinMount(ref) : [];
    if (typeof stdin === "string") return { is: "refused", message: stdin };
    const folder = (await this.#artifacts?.prepare(ref)) ?? null;
    const config = containerConfig({
      name: this.#nameOf(ref),
      labels: toLabels(owner, ref, terms),
      spec,
      image: terms.image ?? { ref: spec.image, repo_digest: null, image_id: null },
      mounts: [...mounts, ...secrets, ...stdin],
      artifacts: folder,
      stopGraceMs: terms.stopGraceMs,
      policy,
    });
    if (typeof config === "string") return { is: "refused", message: config };
    const answer = await callEngine(() => this.#docker.createContainer(config));
    if (answer.ok) return { is: "created" };
    if (answer.status === 409) return this.#judgeConflict(ref);
    if (folder === null || !answer.message.includes(folder))
      return { is: "refused", message: answer.message };
    // The engine sees other files than this agent: that costs the folder, and not the task.
    this.#options.log.warn(
      { reason: answer.message },
      "containers get no /artifacts: the engine cannot mount it",
    );
    await this.#artifacts?.remove(ref);
    this.#artifacts = null;
    return this.create(ref, spec, terms, secretFiles);
  }

  async attach(ref: AttemptRef, sink: OutputSink): Promise<Attachment> {
    const answer = await callEngine(() => attachOutput(this.#container(ref), sink));
    // Whatever the reason, the output is not lost: the engine's own log has it.
    return answer.ok ? answer.value : { ended: Promise.resolve("broken"), close: () => {} };
  }

  follow(
    ref: AttemptRef,
    sink: OutputSink,
    options: { readonly from: OutputOffsets; readonly live: boolean },
  ): Attachment {
    return followOutput(this.#docker, this.#nameOf(ref), sink, options);
  }

  async start(ref: AttemptRef): Promise<StartOutcome> {
    const answer = await callEngine(() => this.#container(ref).start());
    if (answer.ok) return { is: "started" };
    return answer.status === 304 ? { is: "already" } : { is: "failed", message: answer.message };
  }

  async startedAt(ref: AttemptRef): Promise<number | null> {
    const answer = await callEngine(() => this.#container(ref).inspect());
    return answer.ok ? engineTime(answer.value.State.StartedAt) : null;
  }

  async wait(ref: AttemptRef, life: AgentLife): Promise<ExitFacts | "gone"> {
    const exit = await waitForExit(this.#container(ref), life);
    await this.#options.secrets?.remove(ref);
    await this.#options.stdin?.remove(ref);
    return exit;
  }

  async signal(ref: AttemptRef, signal: "SIGTERM" | "SIGKILL"): Promise<"sent" | "not_running"> {
    const answer = await callEngine(() => this.#container(ref).kill({ signal }));
    if (answer.ok) return "sent";
    if (answer.status === 404 || answer.status === 409) return "not_running";
    throw unreachable(new Error(answer.message));
  }

  async remove(ref: AttemptRef): Promise<void> {
    const answer = await callEngine(() => this.#container(ref).remove({ force: true, v: true }));
    // 404: gone already. 409: being removed by an earlier request.
    if (!answer.ok && answer.status !== 404 && answer.status !== 409)
      throw unreachable(new Error(answer.message));
    await this.#options.artifacts?.remove(ref);
    await this.#options.secrets?.remove(ref);
    await this.#options.stdin?.remove(ref);
  }

  /** Read-only, over whatever the image has there. @returns why not, as text */
  async #secretsMount(
    ref: AttemptRef,
    files: Readonly<Record<string, string>>,
  ): Promise<readonly ResolvedMount[] | string> {
    if (Object.keys(files).length === 0) return [];
    const { secrets } = this.#options;
    if (secrets === null) {
      return "files of connections cannot be mounted: the engine of this node is on another machine (DOCKER_HOST)";
    }
    return [{ source: await secrets.place(ref, files), target: SECRETS_FOLDER, readOnly: true }];
  }

  /** @returns why not, as text */
  async #stdinMount(ref: AttemptRef): Promise<readonly ResolvedMount[] | string> {
    const source = await this.#options.stdin?.find(ref);
    if (source === undefined)
      return "/pipe/stdin cannot be mounted: the engine of this node is on another machine (DOCKER_HOST)";
    return source === null
      ? "its /pipe/stdin is not on this node any more"
      : [{ source, target: STDIN_TARGET, readOnly: true }];
  }

  #container(ref: AttemptRef): Docker.Container {
    return this.#docker.getContainer(this.#nameOf(ref));
  }

  /** One name an attempt: an engine cannot hold two containers of it. */
  #nameOf(ref: AttemptRef): string {
    return `cazi-${this.#options.owner.instance}-${ref.task}-${ref.attempt}`;
  }

  async #judgeConflict(ref: AttemptRef): Promise<CreateOutcome> {
    const answer = await callEngine(() => this.#container(ref).inspect());
    const fence = answer.ok ? fromLabels(answer.value.Config.Labels ?? {})?.ref.fence : undefined;
    if (fence === ref.fence) return { is: "exists" };
    return { is: "refused", message: `another container holds the name ${this.#nameOf(ref)}` };
  }

  async #describeEngine(): Promise<Omit<RuntimeFacts, "unavailable">> {
    const info = (await this.#docker.info()) as { ServerVersion: string; NCPU: number; MemTotal: number };
    return { engine: `docker ${info.ServerVersion}`, cpus: info.NCPU, memoryBytes: info.MemTotal };
  }
}

function toAttempt(info: ContainerInfo): RuntimeAttempt | null {
  const known = fromLabels(info.Labels);
  return known === null ? null : { ...known, state: stateOf(info) };
}
