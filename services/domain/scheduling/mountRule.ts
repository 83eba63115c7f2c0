import { type Refusal, refuse } from "../refusal.ts";
import { isWithin } from "../spec/mountPath.ts";

/** What a rule about mounts needs to know of a node. */
export interface MountOffer {
  /** Host paths that tasks there may mount. */
  readonly mount_allowlist: readonly string[];
}

/** The first source that the node does not offer, or null. The node checks again, after following links. */
export function mountNotOffered(
  mounts: readonly { readonly source: string }[],
  node: MountOffer,
): number | null {
  const index = mounts.findIndex(
    ({ source }) => !node.mount_allowlist.some((root) => isWithin(source, root)),
  );
  return index < 0 ? null : index;
}

/**
 * Refuses a mount that no known node offers: such a task could only wait for ever, and the caller can mend it
 * now. With no node known nothing can be said.
 * @returns refusal `MOUNT_NOT_ALLOWED` pointing at the first such mount, or null
 */
export function refuseMounts(
  mounts: readonly { readonly source: string }[],
  nodes: readonly MountOffer[],
): Refusal | null {
  if (nodes.length === 0) return null;
  const index = mounts.findIndex((mount) => nodes.every((node) => mountNotOffered([mount], node) !== null));
  if (index < 0) return null;
  const message = `no node offers ${mounts[index]!.source} for mounting`;
  return refuse("MOUNT_NOT_ALLOWED", `The spec cannot run anywhere: ${message}.`, {
    hint: "Mount a path that a node offers, or add this one to CAZI_NODE_MOUNTS of a node.",
    details: [{ pointer: `/mounts/${index}/source`, message }],
  });
}
