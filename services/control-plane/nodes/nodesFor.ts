import type { Node } from "../../../schemas/api/node.ts";
import { isUsableBy } from "../../domain/scheduling/rules.ts";
import type { Principal } from "../ports.ts";

/**
 * The nodes that the caller may know of. An admin of the installation: all. Everybody else: those that run tasks of their
 * tenant, without what is said there of other tenants and of the installation.
 */
export function nodesFor(
  { tenant, role, installation }: Pick<Principal, "tenant" | "role" | "installation">,
  nodes: readonly Node[],
): readonly Node[] {
  if (installation === true && role === "admin") return nodes;
  return nodes
    .filter((one) => isUsableBy(tenant, one))
    .map((one) => ({
      ...one,
      tenants: one.tenants === null ? null : [tenant],
      clipped: [],
      bounds: null,
      account: null,
    }));
}
