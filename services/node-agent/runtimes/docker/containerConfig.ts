/**
 * What the engine is asked to create, from the spec and the node's policy. Every isolation setting is written
 * out: what is left to an engine's default differs between engines. A task may narrow it, never widen it.
 */
import type { ContainerCreateOptions, HostConfig, MountSettings } from "dockerode";
import type { ImageIdentity } from "../../../../schemas/messages/node.ts";
import { ARTIFACTS_TARGET } from "../../artifacts/artifactFolders.ts";
import type { ExecutionSpec } from "../../executionSpec.ts";
import type { ResolvedMount } from "./mountRules.ts";

const MiB = 1024 * 1024;
const GiB = 1024 * MiB;

/** What this node allows. */
export interface ContainerPolicy {
  /** Networks that a task may ask for. */
  readonly networks: readonly string[];
}

export interface ContainerInput {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly spec: ExecutionSpec;
  readonly image: ImageIdentity;
  readonly mounts: readonly ResolvedMount[];
  /** Folder of this host that the container may leave files in; none where it gets none. */
  readonly artifacts?: string | null;
  readonly stopGraceMs: number;
  readonly policy: ContainerPolicy;
}

/** @returns the engine's create request, or a sentence naming the rule that refuses the spec */
export function containerConfig(input: ContainerInput): ContainerCreateOptions | string {
  const { spec, image, policy } = input;
  const refusal = networkRefusal(spec.network, policy);
  if (refusal !== null) return refusal;
  return {
    name: input.name,
    Image: image.image_id ?? image.ref,
    Labels: { ...input.labels },
    // CMD only; the image's ENTRYPOINT stays unless one is given. An empty list takes it away.
    ...(spec.command.length > 0 ? { Cmd: [...spec.command] } : {}),
    ...(spec.entrypoint ? { Entrypoint: [...spec.entrypoint] } : {}),
    Env: Object.entries(spec.environment).map(([name, value]) => `${name}=${value}`),
    ...(spec.workdir ? { WorkingDir: spec.workdir } : {}),
    ...(spec.user ? { User: spec.user } : {}),
    // Without a terminal, output is framed and stdout stays apart from stderr.
    Tty: false,
    OpenStdin: false,
    AttachStdin: false,
    AttachStdout: true,
    AttachStderr: true,
    StopTimeout: Math.ceil(input.stopGraceMs / 1000),
    HostConfig: hostConfig(spec, [...input.mounts, ...artifactsMount(input.artifacts ?? null)]),
  };
}

/** Writable in a container whose root is not, too: it is what such a container can leave behind. */
function artifactsMount(source: string | null): readonly ResolvedMount[] {
  return source === null ? [] : [{ source, target: ARTIFACTS_TARGET, readOnly: false }];
}

function networkRefusal(network: string, policy: ContainerPolicy): string | null {
  if (network === "host" || network.startsWith("container:")) {
    return `network ${network}: a task never shares another network namespace`;
  }
  if (policy.networks.includes(network)) return null;
  return `network ${network}: this node allows ${policy.networks.join(", ") || "none"} (CAZI_NODE_NETWORKS)`;
}

function hostConfig(spec: ExecutionSpec, mounts: readonly ResolvedMount[]): HostConfig {
  const { resources } = spec;
  return {
    Privileged: false,
    CapDrop: ["ALL"],
    CapAdd: [],
    // The engine's default seccomp profile holds unless one is named; "unconfined" is never named.
    SecurityOpt: ["no-new-privileges"],
    PidsLimit: resources.pids,
    Memory: resources.memory,
    // Equal to Memory: no swap on top.
    MemorySwap: resources.memory,
    NanoCpus: Math.round(resources.cpus * 1e9),
    Ulimits: [
      { Name: "nofile", Soft: 1024, Hard: 1024 },
      { Name: "core", Soft: 0, Hard: 0 },
    ],
    ShmSize: 64 * MiB,
    OomScoreAdj: 500,
    // Signals reach a process that is not made to be number 1, and zombies are reaped.
    Init: true,
    LogConfig: logConfig(spec.max_output_bytes),
    // The exit code and the log's tail are read after the exit.
    AutoRemove: false,
    RestartPolicy: { Name: "no" },
    NetworkMode: spec.network,
    PidMode: "",
    IpcMode: "private",
    UTSMode: "",
    UsernsMode: "",
    Devices: [],
    DeviceRequests: [],
    PublishAllPorts: false,
    PortBindings: {},
    Sysctls: {},
    ReadonlyRootfs: spec.read_only,
    ...(spec.read_only ? { Tmpfs: { "/tmp": `rw,noexec,nosuid,nodev,size=${resources.tmpfs}` } } : {}),
    Mounts: mounts.map(toMount),
  };
}

/**
 * The `local` driver keeps bytes as they are (`json-file` turns invalid UTF-8 into U+FFFD). It drops the whole
 * file at its size limit, so the limit is far above the cap of both streams: each line costs it some 28 bytes
 * more, which is 14 times the output for a program that prints two bytes a line. Uncompressed: one file only.
 */
function logConfig(capBytes: number): NonNullable<HostConfig["LogConfig"]> {
  const size = 2 * capBytes + Math.min(14 * capBytes, GiB) + MiB;
  return { Type: "local", Config: { "max-size": String(size), "max-file": "1", compress: "false" } };
}

function toMount(mount: ResolvedMount): MountSettings {
  return {
    Type: "bind",
    Source: mount.source,
    Target: mount.target,
    ReadOnly: mount.readOnly,
    // What is mounted below it later, on either side, stays where it is.
    BindOptions: { Propagation: "rprivate" },
  };
}
