/** The NATS account of a standalone node. */
import { nodeTag } from "../../services/kernel/nats/readCredentials.ts";
import { nodeHints, nodeImports } from "../../streams/accounts.ts";
import {
  makeOutsideAccount,
  type OutsideAccount,
  outsideLimits,
  rightsTo,
  serviceImports,
} from "./outsideAccount.ts";

/** One agent, and those before it that the server has not missed yet. */
const limits = { ...outsideLimits, conn: 8 } as const;

/** A new account for a node, which shares nothing with who had its name before. */
export function makeNodeAccount(of: {
  readonly node: string;
  readonly servicesAccount: string;
  readonly operatorSeed: string;
}): Promise<OutsideAccount> {
  const { node, operatorSeed } = of;
  return makeOutsideAccount({
    name: nodeAccountName(node),
    claims: nodeClaims(of),
    rights: { ...rightsTo(nodeImports(node), nodeHints(node)), tags: [`${nodeTag}${node}`] },
    operatorSeed,
  });
}

export function nodeAccountName(node: string): string {
  return `node-${node}`;
}

/** All that the account of a node may do, whatever its users are allowed. */
export function nodeClaims(of: { readonly node: string; readonly servicesAccount: string }) {
  const streams = nodeHints(of.node).map((subject) => ({
    name: subject,
    subject,
    account: of.servicesAccount,
    type: "stream" as const,
  }));
  return { limits, imports: [...serviceImports(nodeImports(of.node), of.servicesAccount), ...streams] };
}
