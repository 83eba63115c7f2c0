import { isWithin, whyForbiddenSource, whyForbiddenTarget } from "../../../domain/spec/mountPath.ts";
import type { SpecMount } from "../../executionSpec.ts";

/** A mount whose source is the real path, every symbolic link followed. */
export interface ResolvedMount {
  readonly source: string;
  readonly target: string;
  readonly readOnly: boolean;
}

export interface MountPolicy {
  /** Real paths that tasks may mount, and what is below them. */
  readonly allowlist: readonly string[];
  /** Paths of this agent's own that are never mounted, whatever the allowlist says: they hold its keys. */
  readonly own: readonly string[];
}

/**
 * Whether a node mounts this. Decided on the real path, because a link inside an allowed folder may lead anywhere.
 * @param realSource the real path of `mount.source`; null when it does not exist
 * @returns the mount, or a sentence naming the rule that forbids it
 */
export function judgeMount(
  mount: SpecMount,
  realSource: string | null,
  policy: MountPolicy,
): ResolvedMount | string {
  if (realSource === null) return `mount of ${mount.source}: there is no such path on the node`;
  const forbidden =
    whyForbiddenSource(realSource) ?? whyForbiddenTarget(mount.target) ?? whyOwn(realSource, policy.own);
  if (forbidden !== null) return `mount of ${mount.source}: ${forbidden}`;
  if (!policy.allowlist.some((root) => isWithin(realSource, root))) {
    const real = realSource === mount.source ? "" : ` (really ${realSource})`;
    return `mount of ${mount.source}${real}: not on the node's mount allowlist (CAZI_NODE_MOUNTS)`;
  }
  return { source: realSource, target: mount.target, readOnly: mount.read_only };
}

function whyOwn(source: string, own: readonly string[]): string | null {
  const touched = own.find((path) => isWithin(source, path) || isWithin(path, source));
  return touched === undefined ? null : `it would bring in ${touched}, which holds Cazi's own keys`;
}
