import { realpath } from "node:fs/promises";
import type { SpecMount } from "../../executionSpec.ts";
import { judgeMount, type MountPolicy, type ResolvedMount } from "./mountRules.ts";

/** Follows every link of the mounts and of the policy's paths, and judges each. @returns the first refusal as text */
export async function resolveMounts(
  mounts: readonly SpecMount[],
  policy: MountPolicy,
): Promise<readonly ResolvedMount[] | string> {
  if (mounts.length === 0) return [];
  const real: MountPolicy = {
    allowlist: await realPaths(policy.allowlist),
    own: await realPaths(policy.own),
  };
  const resolved: ResolvedMount[] = [];
  for (const mount of mounts) {
    const verdict = judgeMount(mount, await realPathOrNull(mount.source), real);
    if (typeof verdict === "string") return verdict;
    resolved.push(verdict);
  }
  return resolved;
}

async function realPaths(paths: readonly string[]): Promise<string[]> {
  const real = await Promise.all(paths.map(realPathOrNull));
  return real.filter((path) => path !== null);
}

async function realPathOrNull(path: string): Promise<string | null> {
  try {
    return await realpath(path);
  } catch {
    return null;
  }
}
