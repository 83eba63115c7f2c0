/** The NATS account of a standalone node, and its end, as documents that the operator signs. Nothing is sent here. */
import type { Import, Permissions } from "@nats-io/jwt";
import { nodeTag } from "../../services/kernel/nats/readCredentials.ts";
import { nodeHints, nodeImports } from "../../streams/accounts.ts";

export interface NodeAccount {
  /** Public key. */
  readonly account: string;
  /** Signed; to be announced to the servers. */
  readonly document: string;
  /** For the node alone: the only copy of its key. */
  readonly creds: Uint8Array;
}

/** One agent, and those before it that the server has not missed yet; no stream or bucket can be made in it. */
const limits = {
  subs: 1_000,
  data: -1,
  payload: -1,
  imports: -1,
  exports: 0,
  conn: 8,
  leaf: 0,
  wildcards: false,
} as const;

/** Of the revoked: nobody of it is let in, whatever credentials there are. */
const noLimits = { ...limits, subs: 0, conn: 0 } as const;

/**
 * A new account and a user of it. Each call makes another: a node that is added again shares nothing with who had its
 * name before. The account's own key is thrown away, so that nobody makes a second user of it.
 */
export async function makeNodeAccount(of: {
  readonly node: string;
  readonly servicesAccount: string;
  readonly operatorSeed: string;
}): Promise<NodeAccount> {
  const jwt = await import("@nats-io/jwt");
  const account = jwt.createAccount();
  const user = jwt.createUser();
  const document = await jwt.encodeAccount(accountName(of.node), account, nodeClaims(of), {
    signer: signer(jwt, of.operatorSeed),
  });
  const rights = { ...rightsOf(of.node), tags: [`${nodeTag}${of.node}`] };
  const token = await jwt.encodeUser(accountName(of.node), user, account, rights);
  return { account: account.getPublicKey(), document, creds: jwt.fmtCreds(token, user) };
}

/** What takes the place of an account's document to cut its connections and let nobody in again. */
export async function makeRevocation(of: {
  readonly node: string;
  readonly account: string;
  readonly operatorSeed: string;
  readonly nowSeconds: number;
}): Promise<string> {
  const jwt = await import("@nats-io/jwt");
  return jwt.encodeAccount(
    accountName(of.node),
    of.account,
    { limits: noLimits, revocations: { "*": of.nowSeconds } },
    { signer: signer(jwt, of.operatorSeed) },
  );
}

function accountName(node: string): string {
  return `node-${node}`;
}

function signer(jwt: typeof import("@nats-io/jwt"), seed: string) {
  return jwt.fromSeed(new TextEncoder().encode(seed.trim()));
}

/** All that the account of a node may do, whatever its users are allowed. */
export function nodeClaims(of: { readonly node: string; readonly servicesAccount: string }) {
  return { limits, imports: importsOf(of.node, of.servicesAccount) };
}

function importsOf(node: string, account: string): Import[] {
  const services = nodeImports(node).map(({ subject, local }) => ({
    name: subject,
    subject,
    account,
    type: "service" as const,
    local_subject: local,
  }));
  const streams = nodeHints(node).map((subject) => ({
    name: subject,
    subject,
    account,
    type: "stream" as const,
  }));
  return [...services, ...streams];
}

/** The account alone keeps it out of everything else; this tells a mistaken program so at once. */
function rightsOf(node: string): Permissions {
  return {
    pub: { allow: nodeImports(node).map(({ local }) => local), deny: [] },
    sub: { allow: ["_INBOX.>", ...nodeHints(node)], deny: [] },
  };
}
