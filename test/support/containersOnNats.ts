/**
 * Containers that reach the control plane's server of files, on a test's NATS server: that server, transitions and
 * scheduler in this process, and one node, `local`.
 */
import { randomUUID } from "node:crypto";
import { nodeRole } from "../../deploy/compose/roles/node.ts";
import type { Ground } from "../../deploy/compose/roles/role.ts";
import { schedulerRole } from "../../deploy/compose/roles/scheduler.ts";
import { bridgeGateway } from "../../deploy/embedded/bridgeGateway.ts";
import {
  type ArtifactParts,
  type Artifacts,
  startArtifacts,
} from "../../services/control-plane/artifacts/startArtifacts.ts";
import type { Identity } from "../../services/control-plane/identity/identity.ts";
import { startTransitions } from "../../services/control-plane/transitions/startTransitions.ts";
import { isRefusal } from "../../services/domain/refusal.ts";
import { readSpec } from "../../services/domain/spec/readSpec.ts";
import type { EndedTask } from "../../services/domain/task/taskState.ts";
import { canonicalSpec } from "../../services/kernel/canonicalSpec.ts";
import { newId } from "../../services/kernel/ids.ts";
import type { TaskKey } from "../../services/kernel/ledger/taskLedger.ts";
import { groundOnNats } from "./groundOnNats.ts";
import { identityOnNats } from "./identityOnNats.ts";
import { submitCommand } from "./ledgerOnNats.ts";
import { waitFor } from "./waitFor.ts";

export interface ContainersOnNats {
  readonly ground: Ground;
  readonly identity: Identity;
  /** The server of files as it is now. */
  readonly artifacts: Artifacts;
  /** A task of the tenant `default`; the spec as a caller sends it, or one that was read. */
  submit(spec: object | string, source?: string): Promise<TaskKey>;
  ended(key: TaskKey): Promise<EndedTask>;
  run(spec: object | string, source?: string): Promise<{ readonly key: TaskKey; readonly state: EndedTask }>;
  stopNode(): Promise<void>;
  /** Another life of it. */
  startNode(): Promise<void>;
  stopArtifacts(): Promise<void>;
  /** Another life of it, at the same address. */
  startArtifacts(): Promise<void>;
  stop(): Promise<void>;
}

export async function containersOnNats(
  server: { readonly url: string; readonly credsFile: string },
  engine: { readonly dockerHost: string },
  of: { readonly env?: Readonly<Record<string, string>> } & Pick<ArtifactParts, "admitUpload"> = {},
): Promise<ContainersOnNats> {
  const ground = await groundOnNats(server, { ...of.env, DOCKER_HOST: engine.dockerHost });
  const gateway = (await bridgeGateway(engine.dockerHost))!;
  const { identity, connections } = await identityOnNats(ground);
  const { admitUpload } = of;
  const parts = { ...ground, identity, connections, bridgeGateway: gateway };
  const filesAt = (artifactListen: string) =>
    startArtifacts({
      ...parts,
      config: { ...ground.config, artifactListen },
      ...(admitUpload === undefined ? {} : { admitUpload }),
    });
  let artifacts = await filesAt(ground.config.artifactListen);
  const { port } = new URL(artifacts.url!);
  const { claimLimitMs, startLimitMs, stopGraceMs } = ground.config;
  const stopTransitions = startTransitions({
    ...parts,
    ...{ claimLimitMs, startLimitMs, stopGraceMs },
    artifactUrl: artifacts.url,
    stdinUrl: artifacts.stdinUrl,
    epoch: ground.feed.epoch,
    random: Math.random,
  });
  const scheduler = schedulerRole(ground);
  const instance = newId(Date.now());
  let node = await nodeRole(ground, instance);

  const submit = async (spec: object | string, source = "submit") => {
    const key = { tenant: "default", task: newId(Date.now()) };
    const json = typeof spec === "string" ? spec : asRecorded(spec);
    await ground.ledger.execute(key, { ...submitCommand(json), source, id: randomUUID() });
    return key;
  };
  const ended = async (key: TaskKey) => {
    const hasEnded = () => ground.live.tasks.hasEnded(key.task);
    await waitFor(`task ${key.task} to end`, hasEnded, { deadlineMs: 60_000 });
    return (await ground.ledger.load(key)).state as EndedTask;
  };
  return {
    ground,
    identity,
    get artifacts() {
      return artifacts;
    },
    submit,
    ended,
    run: async (spec, source) => {
      const key = await submit(spec, source);
      return { key, state: await ended(key) };
    },
    stopNode: () => node.stop(),
    startNode: async () => {
      node = await nodeRole(ground, instance);
    },
    stopArtifacts: () => artifacts.stop(),
    startArtifacts: async () => {
      artifacts = await filesAt(`${gateway}:${port}`);
    },
    stop: async () => {
      await node.stop();
      await Promise.all([scheduler.stop(), stopTransitions()]);
      await artifacts.stop();
      identity.stop();
      await ground.stop();
    },
  };
}

function asRecorded(spec: object): string {
  const read = readSpec({ image: "cazi/toolbox:latest", ...spec });
  if (isRefusal(read)) throw new Error(read.message);
  return canonicalSpec(read.spec).json;
}
