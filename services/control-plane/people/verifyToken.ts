import { timingSafeEqual } from "node:crypto";
import { toTimestamp } from "../../../schemas/api/timestamp.ts";
import { Rejection } from "../../kernel/errors.ts";
import { tokenHash } from "../http/authenticate.ts";
import type { Principal, TokenVerifier } from "../ports.ts";
import type { PeopleDirectory } from "./directory.ts";
import { type PeopleBucket, tokensUnreachable } from "./peopleBucket.ts";
import type { TokenRecord } from "./records.ts";

/** What a token that is no sign-in looks like: only such a one is worth a question to the bucket. */
const TOKEN_PATTERN = /^cazi_[A-Za-z0-9_-]{43}$/;

export interface FirstToken {
  readonly token: string;
  readonly principal: Principal;
}

/**
 * Whom a token speaks for, from memory: the directory follows the bucket, so a revocation is in force on every
 * replica as soon as NATS has told it. Postgres is never asked, so that cancel, replays of reads and everything else
 * that does without it goes on while it is away. A token that the directory does not know is looked up in the bucket
 * once; the bucket's no is the answer.
 *
 * A replica that has heard neither NATS nor Postgres for a while takes no stored token: it could be a revoked one.
 */
export function tokenVerifier(ports: {
  readonly directory: PeopleDirectory;
  readonly bucket: Pick<PeopleBucket, "find">;
  /** The token in this process's CAZI_HOME. It is stored nowhere else, so that it goes with its file. */
  readonly first: FirstToken;
  /** Whom another kind of token speaks for, such as a sign-in. */
  readonly signIn: ((token: string) => Promise<Principal | null>) | null;
  readonly fresh: () => boolean;
  readonly used: (principal: Principal) => void;
  readonly now: () => number;
}): TokenVerifier {
  const { directory, bucket, first, signIn, fresh, used, now } = ports;
  const firstHash = tokenHash(first.token);

  async function verify(token: string): Promise<Principal | null> {
    const hash = tokenHash(token);
    const hex = hash.toString("hex");
    if (timingSafeEqual(hash, firstHash)) {
      const revoked = directory.byHash(hex);
      if (revoked === undefined) return first.principal;
      refuseOver(revoked, now());
      return null;
    }
    if (!TOKEN_PATTERN.test(token)) return signIn === null ? null : await signIn(token);
    if (!fresh()) throw tokensUnreachable();
    const known = directory.byHash(hex) ?? (await bucket.find(hex));
    if (known === null) return null;
    refuseOver(known, now());
    const principal = directory.speaksFor(known, now());
    if (principal !== null) used(principal);
    return principal;
  }
  return { verify };
}

/**
 * Says that a token is over: only its holder can have sent it, so nobody else learns of it.
 * @throws Rejection `UNAUTHENTICATED`
 */
function refuseOver({ revoked_at, expires_at }: TokenRecord, nowMs: number): void {
  const isExpired = expires_at !== null && expires_at <= nowMs;
  if (revoked_at === null && !isExpired) return;
  const how =
    revoked_at === null
      ? `expired at ${toTimestamp(expires_at!)}`
      : `was revoked at ${toTimestamp(revoked_at)}`;
  throw new Rejection("UNAUTHENTICATED", `This token ${how}.`, {
    hint: "Make another with `cazi token create`, by a token that is good, or ask an admin of your tenant for one.",
  });
}
