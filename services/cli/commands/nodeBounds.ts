import type { DeclareNode, Node } from "../../../schemas/api/node.ts";

/** What an operator says a node may register; what is not given stays as it is. */
export interface BoundsOptions {
  readonly labels?: Readonly<Record<string, string>>;
  readonly tags?: readonly string[];
  /** `*` for everybody's. */
  readonly tenants?: readonly string[];
  readonly slotsMax?: number;
  readonly networks?: readonly string[];
  readonly mounts?: readonly string[];
}

const SLOTS = 8;

/** Pure. @param before what is declared now; null for a new node, which runs the caller's own tasks alone */
export function boundsOf(
  options: BoundsOptions,
  before: Node["bounds"],
  tenant: string,
): Omit<DeclareNode, "account"> {
  const tenants = options.tenants?.includes("*") ? null : options.tenants;
  const list = (given: readonly string[] | undefined, fallback: readonly string[]) => [
    ...(given ?? fallback),
  ];
  return {
    labels: { ...(options.labels ?? before?.labels) },
    tags: list(options.tags, before?.tags ?? []),
    tenants: tenants === undefined ? (before === null ? [tenant] : before.tenants) : tenants && [...tenants],
    slots: options.slotsMax ?? before?.slots ?? SLOTS,
    networks: list(options.networks, before?.networks ?? ["bridge", "none"]),
    mounts: list(options.mounts, before?.mounts ?? []),
  };
}
