/** Puts a node agent together. The one file of this service that knows what all its parts are made of. */
import { join } from "node:path";
import { subjects } from "../../streams/subjects.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Config } from "../kernel/config.ts";
import type { Nats } from "../kernel/nats/connectNats.ts";
import type { Tracer } from "../kernel/tracing/tracer.ts";
import { natsClaimQueue } from "./adapters/natsClaimQueue.ts";
import { natsControlPlane } from "./adapters/natsControlPlane.ts";
import { natsDirectory } from "./adapters/natsDirectory.ts";
import { natsLogs } from "./adapters/natsLogs.ts";
import { natsReports } from "./adapters/natsReports.ts";
import { Agent } from "./agent.ts";
import { AgentLife } from "./agentLife.ts";
import { type ArtifactFolders, openArtifactFolders } from "./artifacts/artifactFolders.ts";
import type { AgentContext } from "./attempt/agentContext.ts";
import { BeatLoop } from "./beatLoop.ts";
import { ClaimIntake } from "./claimIntake.ts";
import { disconnectLimitMs } from "./disconnectLimit.ts";
import { nextGeneration } from "./generation.ts";
import { revisionsPerGeneration } from "./limits.ts";
import { openMarkerFiles } from "./markerFiles.ts";
import { NodeState } from "./nodeState.ts";
import type { AgentLog, Runtime } from "./ports.ts";
import { after } from "./repeat.ts";
import { openDockerClient } from "./runtimes/docker/dockerClient.ts";
import { DockerRuntime } from "./runtimes/docker/dockerRuntime.ts";
import { engineDisk, keepSweeping } from "./runtimes/docker/imageSweep.ts";
import type { ImagePolicy } from "./runtimes/docker/planImageGc.ts";
import { openPrivateImages } from "./runtimes/docker/privateImages.ts";
import { openPulledImages } from "./runtimes/docker/pulledImages.ts";
import { openSecretFolders, secretsRoot } from "./runtimes/docker/secretFolders.ts";
import { NoopRuntime } from "./runtimes/noop/noopRuntime.ts";
import { openAttemptFiles } from "./runtimes/script/attemptFiles.ts";
import { noContainers } from "./runtimes/script/noContainers.ts";
import type { ScriptEngine } from "./runtimes/script/scriptEngine.ts";
import { ScriptRuntime } from "./runtimes/script/scriptRuntime.ts";
import { SplitRuntime } from "./runtimes/script/splitRuntime.ts";
import { openStdinFiles, type StdinFiles } from "./stdin/stdinFiles.ts";

export interface NodeAgentOptions {
  readonly config: Config;
  readonly nats: Nats;
  readonly clock: Clock;
  readonly log: AgentLog;
  readonly tracer: Tracer;
  /** Name on containers; see `CAZI_INSTANCE`. */
  readonly instance: string;
  /** Missing or null: the node runs no scripts. */
  readonly scripts?: ScriptEngine | null;
}

export interface RunningNodeAgent {
  /** Ends the agent; its containers run on and are found again by the next start. */
  stop(): Promise<void>;
}

/** Starts the agent of one node. Resolves once it has looked at its engine and takes up what it finds. */
export async function startNodeAgent(options: NodeAgentOptions): Promise<RunningNodeAgent> {
  const { config, nats, clock, log } = options;
  const life = new AgentLife();
  const folder = join(config.home, "node", config.node);
  const artifacts = await artifactFoldersOf(config, folder, options.scripts ?? null);
  const hasContainers = config.nodeRuntime === "docker" && isEngineHere(config);
  const stdin = hasContainers ? await openStdinFiles(join(folder, "stdin")) : null;
  const opened = await openRuntime(options, { artifacts, stdin, folder, life });
  const { runtime } = opened;
  const context: AgentContext = {
    node: config.node,
    runtime,
    control: natsControlPlane(nats, config.node),
    reports: natsReports(nats),
    logs: natsLogs(nats, config.node),
    artifacts,
    stdin,
    markers: await openMarkerFiles(join(folder, "markers"), log),
    clock,
    log,
    tracer: options.tracer,
    stopGraceMs: config.stopGraceMs,
    life,
    revisionBase: (await nextGeneration(folder)) * revisionsPerGeneration,
    connected: () => nats.connected(),
  };
  const parts = assemble(options, context);
  await start(options, parts, life);
  return {
    stop: async () => {
      life.end();
      parts.queue.close();
      await opened.scripts?.close();
    },
  };
}

function assemble({ config, nats, log, clock }: NodeAgentOptions, context: AgentContext) {
  const { life, runtime, control, node } = context;
  const directory = natsDirectory(nats);
  const queue = natsClaimQueue(nats, { node, log });
  const agent: Agent = new Agent(context, {
    slots: config.nodeSlots,
    unavailable: () => state.unavailable,
    onFree: () => intake.refill(),
    onManyHeld: () => beats.soon(),
    onDiskTrouble: () => void state.refresh().catch(() => state.renew()),
  });
  const intake: ClaimIntake = new ClaimIntake({
    queue,
    slots: config.nodeSlots,
    life,
    log,
    busy: () => agent.table.busyCount,
    open: () => agent.open,
    onOffer: (offer) => agent.accept(offer),
  });
  const beats: BeatLoop = new BeatLoop({
    node,
    beatMs: config.beatMs,
    control,
    directory,
    clock,
    life,
    log,
    running: () => agent.table.busyCount,
    look: async () => {
      const { observed, act } = await agent.look();
      return {
        observed,
        act: (answer) => {
          state.compare(answer.registered_at);
          return act(answer);
        },
      };
    },
  });
  const state: NodeState = new NodeState({
    profile: profileOf(config),
    runtime,
    markers: context.markers,
    directory,
    now: () => clock.now(),
    life,
    log,
    onChange: () => {
      intake.refill();
      beats.hint();
    },
  });
  return { agent, intake, beats, state, queue };
}

async function start(
  { config, nats, log }: NodeAgentOptions,
  { agent, intake, beats, state }: ReturnType<typeof assemble>,
  life: AgentLife,
): Promise<void> {
  const hints = nats.connection.subscribe(subjects.control({ node: config.node }), {
    callback: () => beats.hint(),
  });
  const forgetReconnect = nats.onReconnect(() => {
    state.renew();
    beats.hint();
    intake.refill();
  });
  life.onEnd(() => {
    hints.unsubscribe();
    forgetReconnect();
  });
  try {
    await state.refresh();
  } catch (error) {
    log.warn({ error }, "the node could not be registered; trying again");
  }
  void state.watch();
  // The first beat looks at the runtime; only then are offers taken.
  beats.start();
  if (config.onDisconnect === "kill") guardDisconnect(config, { agent, beats, life, log });
}

/** Looks every second whether the node has been silent for too long; then stops what runs. */
function guardDisconnect(
  config: Config,
  parts: { agent: Agent; beats: BeatLoop; life: AgentLife; log: AgentLog },
): void {
  const { agent, beats, life, log } = parts;
  const limitMs = disconnectLimitMs(config);
  const look = () => {
    if (beats.silentMs() >= limitMs && agent.table.busyCount > 0) {
      log.warn({ silentMs: Math.round(beats.silentMs()) }, "cut off for too long; stopping what runs");
      agent.stopAll("disconnect");
    }
    const cancel = after(1_000, () => {
      forget();
      look();
    });
    const forget = life.onEnd(cancel);
  };
  look();
}

function profileOf(config: Config) {
  return {
    node: config.node,
    labels: { ...config.nodeLabels },
    tags: [...config.nodeTags],
    slots: config.nodeSlots,
    offered_cpus: config.nodeCpus || null,
    offered_memory_bytes: config.nodeMemory || null,
    mount_allowlist: [...config.nodeMounts],
    networks: [...config.nodeNetworks],
  };
}

/** Only an engine on this machine can mount a folder of it. */
function isEngineHere({ dockerHost }: Config): boolean {
  return dockerHost === "" || dockerHost.startsWith("unix://");
}

async function artifactFoldersOf(
  config: Config,
  folder: string,
  scripts: ScriptEngine | null,
): Promise<ArtifactFolders | null> {
  const isUsed = scripts !== null || (config.nodeRuntime === "docker" && isEngineHere(config));
  return isUsed ? openArtifactFolders(join(folder, "artifacts"), config.artifactFolderBytesMax) : null;
}

interface RuntimeParts {
  readonly artifacts: ArtifactFolders | null;
  readonly stdin: StdinFiles | null;
  readonly folder: string;
  readonly life: AgentLife;
}

async function openRuntime(
  options: NodeAgentOptions,
  parts: RuntimeParts,
): Promise<{ readonly runtime: Runtime; readonly scripts: ScriptRuntime | null }> {
  const { clock, log } = options;
  const containers = await openContainers(options, parts);
  const engine = options.scripts ?? null;
  const { artifacts, folder, life } = parts;
  if (engine === null || artifacts === null) return { runtime: containers, scripts: null };
  const files = await openAttemptFiles(join(folder, "scripts"));
  const scripts = new ScriptRuntime({ engine, files, artifacts, clock, life, log });
  return { runtime: new SplitRuntime(containers, scripts), scripts };
}

async function openContainers(
  { config, clock, instance, log }: NodeAgentOptions,
  { artifacts, stdin, folder, life }: RuntimeParts,
): Promise<Runtime> {
  if (config.nodeRuntime === "noop") return new NoopRuntime(clock);
  if (config.nodeRuntime === "compartment") return noContainers;
  const docker = await openDockerClient(config.dockerHost);
  const pulled = await openPulledImages(join(folder, "pulled-images.json"), clock);
  const usedPercent = isEngineHere(config) ? engineDisk(docker) : async () => null;
  void keepSweeping({ docker, pulled, policy: imagePolicyOf(config), usedPercent, clock, log }, life);
  return new DockerRuntime({
    docker,
    clock,
    random: Math.random,
    owner: { instance, node: config.node },
    artifacts: isEngineHere(config) ? artifacts : null,
    secrets: isEngineHere(config) ? await openSecretFolders(await secretsRoot(folder)) : null,
    stdin,
    privates: await openPrivateImages(join(folder, "private-images.json")),
    pulled,
    log,
    policy: {
      networks: config.nodeNetworks,
      mounts: { allowlist: config.nodeMounts, own: [config.home] },
    },
  });
}

function imagePolicyOf({
  nodeImageMaxAgeDays,
  nodeDiskHighPercent,
  nodeDiskLowPercent,
}: Config): ImagePolicy {
  return {
    maxAgeMs: nodeImageMaxAgeDays === 0 ? null : nodeImageMaxAgeDays * 86_400_000,
    highPercent: nodeDiskHighPercent === 0 ? null : nodeDiskHighPercent,
    lowPercent: Math.min(nodeDiskLowPercent, nodeDiskHighPercent),
  };
}
