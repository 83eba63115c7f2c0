import { statfs } from "node:fs/promises";
import type Docker from "dockerode";
import type { ImageInspectInfo } from "dockerode";
import type { Clock } from "../../../kernel/clock.ts";
import type { AgentLife } from "../../agentLife.ts";
import { imageSweepMs } from "../../limits.ts";
import type { AgentLog } from "../../ports.ts";
import { Abandoned, sleep } from "../../repeat.ts";
import { callEngine, unreachable } from "./engineErrors.ts";
import { type ImagePolicy, type ImageRemoval, type KnownImage, planImageGc } from "./planImageGc.ts";
import { canonicalName, type PulledImages } from "./pulledImages.ts";

export interface SweepGround {
  readonly docker: Docker;
  readonly pulled: PulledImages;
  readonly policy: ImagePolicy;
  /** How full the disk of the engine is, in percent; null when that is not known. */
  readonly usedPercent: () => Promise<number | null>;
  readonly clock: Clock;
  readonly log: AgentLog;
}

/** Sweeps now and then, as long as the agent lives. */
export async function keepSweeping(ground: SweepGround, life: AgentLife): Promise<void> {
  const { log, policy, pulled } = ground;
  const off = policy.maxAgeMs === null && policy.highPercent === null;
  try {
    for (;;) {
      await sleep(imageSweepMs, life);
      try {
        await pulled.save();
        if (!off) await sweepImages(ground);
      } catch (error) {
        log.warn({ error }, "images could not be looked through; it is tried again");
      }
    }
  } catch (error) {
    if (!(error instanceof Abandoned)) throw error;
  }
}

/**
 * Removes what the policy says, one at a time.
 * @returns the names of what was removed
 * @throws Retryable `ENGINE_UNREACHABLE`
 */
export async function sweepImages(ground: SweepGround): Promise<readonly string[]> {
  const { clock, policy, pulled, log } = ground;
  if (pulled.all().length === 0) return [];
  const usedPercent = await ground.usedPercent();
  // The engine's list costs it its locks: only where something may follow from it.
  if (policy.maxAgeMs === null && (usedPercent ?? 0) < (policy.highPercent ?? 101)) return [];
  const removals = planImageGc(await knownImages(ground), { nowMs: clock.now(), usedPercent, policy });
  const removed: string[] = [];
  for (const removal of removals) {
    if (removal.why === "disk" && ((await ground.usedPercent()) ?? 0) <= policy.lowPercent) break;
    if (await remove(ground, removal)) removed.push(...removal.image.names);
  }
  if (removed.length > 0) log.info({ removed, usedPercent }, "images were removed to make room");
  return removed;
}

/** What this node pulled, as the engine has it now. What is gone is forgotten, unless an attempt may be pulling it. */
async function knownImages({ docker, pulled }: SweepGround): Promise<KnownImage[]> {
  const records = pulled.all();
  const inUse = await imagesInUse(docker);
  const found = new Map<string, { info: ImageInspectInfo; usedAt: number }>();
  for (const { ref, usedAt } of records) {
    const answer = await callEngine(() => docker.getImage(ref).inspect());
    if (!answer.ok) {
      if (answer.status === 404) await pulled.removeUnlessHeld([ref], () => pulled.forget([ref]));
      continue;
    }
    const before = found.get(answer.value.Id)?.usedAt ?? 0;
    found.set(answer.value.Id, { info: answer.value, usedAt: Math.max(before, usedAt) });
  }
  return [...found.values()].map(({ info, usedAt }) => {
    const tags = info.RepoTags ?? [];
    const names = [...tags, ...(info.RepoDigests ?? [])];
    return {
      id: info.Id,
      names,
      usedAt,
      pullable: (info.RepoDigests ?? []).length > 0,
      named: tags.some((tag) => !pulled.has(tag)),
      inUse: [info.Id, ...names].some((name) => inUse.has(canonicalName(name))),
    };
  });
}

/** By id, and by the name that a container was made with. */
async function imagesInUse(docker: Docker): Promise<ReadonlySet<string>> {
  const answer = await callEngine(() => docker.listContainers({ all: true }));
  if (!answer.ok) throw unreachable(new Error(answer.message));
  return new Set(answer.value.flatMap((one) => [one.ImageID, canonicalName(one.Image)]));
}

/** Name by name and without force: the engine itself refuses what a container came to be of meanwhile. */
async function remove({ docker, pulled, log }: SweepGround, { image, why }: ImageRemoval): Promise<boolean> {
  let gone = false;
  await pulled.removeUnlessHeld([image.id, ...image.names], async () => {
    for (const name of image.names) {
      const answer = await callEngine(() => docker.getImage(name).remove());
      if (!answer.ok && answer.status !== 404)
        return log.debug({ name, why, reason: answer.message }, "an image stays");
    }
    gone = true;
    await pulled.forget(image.names);
  });
  return gone;
}

/** Of the engine's own folder, where it is on this machine. As `df` counts it. */
export function engineDisk(docker: Docker): () => Promise<number | null> {
  let folder: string | null = null;
  return async () => {
    try {
      folder ??= ((await docker.info()) as { DockerRootDir: string }).DockerRootDir;
      const { blocks, bfree, bavail } = await statfs(folder);
      const used = blocks - bfree;
      return (100 * used) / (used + bavail);
    } catch {
      return null;
    }
  };
}
