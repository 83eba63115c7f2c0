/** NATS accounts of those outside, standalone nodes and subscribers, as documents that the operator signs. Nothing is sent here. */
import type { Account, Import, Permissions, User } from "@nats-io/jwt";
import type { ImportedSubject } from "../../streams/accounts.ts";

export interface OutsideAccount {
  /** Public key. */
  readonly account: string;
  /** Signed; to be announced to the servers. */
  readonly document: string;
  /** For its holder alone: the only copy of its key. */
  readonly creds: Uint8Array;
}

/** No stream, bucket or consumer can be made in an account of these. */
export const outsideLimits = {
  subs: 1_000,
  data: -1,
  payload: -1,
  imports: -1,
  exports: 0,
  leaf: 0,
  wildcards: false,
} as const;

/** Of the revoked: nobody of it is let in, whatever credentials there are. */
const noLimits = { ...outsideLimits, subs: 0, conn: 0 } as const;

/**
 * A new account and a user of it. Each call makes another: who gets a name again shares nothing with who had it before.
 * The account's own key is thrown away, so that nobody makes a second user of it.
 */
export async function makeOutsideAccount(of: {
  readonly name: string;
  readonly claims: Partial<Account>;
  readonly rights: Partial<User>;
  readonly operatorSeed: string;
}): Promise<OutsideAccount> {
  const jwt = await import("@nats-io/jwt");
  const account = jwt.createAccount();
  const user = jwt.createUser();
  const signer = jwt.fromSeed(seedBytes(of.operatorSeed));
  const document = await jwt.encodeAccount(of.name, account, of.claims, { signer });
  const token = await jwt.encodeUser(of.name, user, account, of.rights);
  return { account: account.getPublicKey(), document, creds: jwt.fmtCreds(token, user) };
}

/** What takes the place of an account's document to cut its connections and let nobody in again. */
export async function makeRevocation(of: {
  readonly name: string;
  readonly account: string;
  readonly operatorSeed: string;
  readonly nowSeconds: number;
}): Promise<string> {
  const jwt = await import("@nats-io/jwt");
  return jwt.encodeAccount(
    of.name,
    of.account,
    { limits: noLimits, revocations: { "*": of.nowSeconds } },
    { signer: jwt.fromSeed(seedBytes(of.operatorSeed)) },
  );
}

/** True for a document that lets nobody in. */
export async function isRevoked(document: string): Promise<boolean> {
  const jwt = await import("@nats-io/jwt");
  return jwt.decode<Account>(document).nats.limits?.conn === 0;
}

/** Requests that cross accounts, as imports from the services' account. */
export function serviceImports(list: readonly ImportedSubject[], servicesAccount: string): Import[] {
  return list.map(({ subject, local }) => ({
    name: subject,
    subject,
    account: servicesAccount,
    type: "service" as const,
    local_subject: local,
  }));
}

/** The account alone keeps it out of everything else; this tells a mistaken program so at once. */
export function rightsTo(list: readonly ImportedSubject[], hears: readonly string[] = []): Permissions {
  return {
    pub: { allow: list.map(({ local }) => local), deny: [] },
    sub: { allow: ["_INBOX.>", ...hears], deny: [] },
  };
}

function seedBytes(seed: string): Uint8Array {
  return new TextEncoder().encode(seed.trim());
}
