import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type Docker from "dockerode";
import type { ContainerInfo } from "dockerode";
import { readMarkers } from "../markerFiles.ts";
import type { AgentLog, Marker } from "../ports.ts";
import { fromLabels } from "../runtimes/docker/containerLabels.ts";
import { callEngine, unreachable } from "../runtimes/docker/engineErrors.ts";
import { secretsRoots } from "../runtimes/docker/secretFolders.ts";
import { stateOf } from "../runtimes/docker/stateOf.ts";
import { isMissing } from "../syncedFiles.ts";
import { type FoundFolder, type FoundRemains, nameOf, type ReapInput } from "./planReap.ts";

export interface ReapGround {
  readonly docker: Docker;
  readonly instance: string;
  /** The folder of all nodes of this home. */
  readonly nodesFolder: string;
  /** The node meant; null for all of this instance on this machine. */
  readonly node: string | null;
  readonly log: AgentLog;
}

/**
 * Finds what carries the instance's name on this engine, and what its nodes keep on this disk. Changes nothing.
 * @throws Retryable `ENGINE_UNREACHABLE`
 */
export async function lookAround(ground: ReapGround): Promise<ReapInput["found"]> {
  const containers = await containersOf(ground);
  const nodes = ground.node === null ? await entriesOf(ground.nodesFolder) : [ground.node];
  const onDisk = await Promise.all(nodes.map((node) => nodeOnDisk(ground, node)));
  const read = containers.map((info) => ({ info, remains: toRemains(info) }));
  const remains = read.flatMap((one) => one.remains ?? []);
  const fences = new Set(remains.map((one) => one.ref.fence));
  return {
    remains: [
      ...remains,
      ...onDisk.flatMap((one) => one.markers).filter((one) => !fences.has(one.ref.fence)),
    ],
    folders: onDisk.flatMap((one) => one.folders),
    strays: read
      .filter((one) => one.remains === null)
      .map(({ info }) => ({ container: info.Id, madeAt: info.Created * 1000 })),
  };
}

async function containersOf({ docker, instance, node }: ReapGround): Promise<ContainerInfo[]> {
  const label = [`cazi.instance=${instance}`, ...(node === null ? [] : [`cazi.node=${node}`])];
  const answer = await callEngine(() => docker.listContainers({ all: true, filters: { label } }));
  if (!answer.ok) throw unreachable(new Error(answer.message));
  return answer.value;
}

function toRemains(info: ContainerInfo): FoundRemains | null {
  const known = fromLabels(info.Labels);
  const node = info.Labels["cazi.node"];
  if (known === null || !node) return null;
  return {
    node,
    ref: known.ref,
    container: stateOf(info),
    madeAt: info.Created * 1000,
    epoch: known.terms?.grantedAt.epoch ?? null,
  };
}

async function nodeOnDisk({ nodesFolder, log }: ReapGround, node: string) {
  const folder = join(nodesFolder, node);
  const markers = join(folder, "markers");
  const names = await entriesOf(markers);
  const words = names.length === 0 ? [] : await readMarkers(markers, log);
  const half = names.filter((name) => name.endsWith(".tmp"));
  const roots = [join(folder, "artifacts"), ...secretsRoots(folder)];
  const found = await Promise.all(
    roots.map(async (root) => (await entriesOf(root)).map((name) => ({ path: join(root, name), of: name }))),
  );
  const parts = [
    ...found.flat(),
    ...half.map((name) => ({ path: join(markers, name), of: name.split(".")[0]! })),
  ];
  return {
    markers: await present(words, async (marker) => toMarked(node, marker, markers)),
    folders: await present(parts, async (part): Promise<FoundFolder> => {
      return { node, ...part, changedAt: (await stat(part.path)).mtimeMs };
    }),
  };
}

async function toMarked(node: string, marker: Marker, folder: string): Promise<FoundRemains> {
  const { mtimeMs } = await stat(join(folder, `${nameOf(marker.ref)}.json`));
  return {
    node,
    ref: marker.ref,
    container: "none",
    madeAt: mtimeMs,
    epoch: marker.terms?.grantedAt.epoch ?? null,
  };
}

/** Without those that went away meanwhile. */
async function present<A, B>(all: readonly A[], read: (one: A) => Promise<B>): Promise<B[]> {
  const found = await Promise.all(
    all.map((one) =>
      read(one).catch((error) => {
        if (isMissing(error)) return null;
        throw error;
      }),
    ),
  );
  return found.filter((one) => one !== null);
}

async function entriesOf(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
