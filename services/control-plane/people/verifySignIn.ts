import { createRemoteJWKSet, errors, type JWTVerifyGetKey, jwtVerify } from "jose";
import type { Clock } from "../../kernel/clock.ts";
import type { Config } from "../../kernel/config.ts";
import { Rejection, Retryable } from "../../kernel/errors.ts";
import type { Log } from "../../kernel/log.ts";
import { signInCooldownMs, signInFetchMs, signInKeysMs } from "../limits.ts";
import type { Principal } from "../ports.ts";
import type { PeopleDirectory } from "./directory.ts";

/** Asymmetric ones alone: with a symmetric one whoever may check could also sign. */
const ALGORITHMS = ["EdDSA", "Ed25519", "ES256", "ES384", "PS256", "RS256", "RS384", "RS512"];
const CLOCK_TOLERANCE_SECONDS = 30;
const SIGNED_TOKEN = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/**
 * Whom a sign-in speaks for: a JWT of the configured issuer, for the configured audience, not expired, whose claim names
 * the login of a user who is there. Nobody is made by signing in, and the role is the user's: what an issuer says of
 * roles is not asked.
 *
 * The issuer's keys are kept, and asked for anew at most once in a while, whatever key a token names.
 * @returns null where no issuer is configured; what it gives throws Retryable `SIGN_IN_UNREACHABLE`
 */
export function verifySignIn(ports: {
  readonly config: Pick<
    Config,
    "tenant" | "oidcIssuer" | "oidcAudience" | "oidcUserClaim" | "oidcTenantClaim"
  >;
  readonly directory: Pick<PeopleDirectory, "signsIn">;
  readonly clock: Clock;
  readonly log: Log;
  readonly cooldownMs?: number;
}): ((token: string) => Promise<Principal | null>) | null {
  const { config, directory, clock, log, cooldownMs = signInCooldownMs } = ports;
  const { oidcIssuer: issuer, oidcAudience: audience } = config;
  if (issuer === "") return null;
  if (audience === "") {
    throw new Rejection("CONFIG_INVALID", "CAZI_OIDC_AUDIENCE is needed beside CAZI_OIDC_ISSUER", {
      hint: "Set it to what the issuer puts into `aud` of tokens for Cazi: without it tokens for others would be taken.",
    });
  }
  const keys = keysOf(issuer, { clock, cooldownMs });

  return async (token) => {
    if (!SIGNED_TOKEN.test(token)) return null;
    try {
      const { payload } = await jwtVerify(token, await keys(), {
        ...{ issuer, audience, algorithms: ALGORITHMS, requiredClaims: ["exp"] },
        ...{ clockTolerance: CLOCK_TOLERANCE_SECONDS, currentDate: new Date(clock.now()) },
      });
      const login = payload[config.oidcUserClaim];
      const tenant = config.oidcTenantClaim === "" ? config.tenant : payload[config.oidcTenantClaim];
      if (typeof login !== "string" || typeof tenant !== "string") return null;
      return directory.signsIn(tenant, login);
    } catch (error) {
      if (isRefusal(error)) {
        log.debug({ error }, "a sign-in was refused");
        return null;
      }
      log.warn({ error }, "the keys of the sign-in's issuer cannot be read");
      throw new Retryable("SIGN_IN_UNREACHABLE", "The sign-in cannot be checked now.", { cause: error });
    }
  };
}

/** What is wrong with the token itself; anything else is trouble on the way to the keys. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof errors.JOSEError)) return false;
  return (
    !(error instanceof errors.JWKSTimeout) &&
    !(error instanceof errors.JWKSInvalid) &&
    error.code !== "ERR_JOSE_GENERIC"
  );
}

/** The issuer's key set, by way of its discovery document, which is read once and again only after a failure. */
function keysOf(
  issuer: string,
  { clock, cooldownMs }: { readonly clock: Clock; readonly cooldownMs: number },
): () => Promise<JWTVerifyGetKey> {
  let known: Promise<JWTVerifyGetKey> | null = null;
  let failedAt: number | null = null;
  return () => {
    if (failedAt !== null && clock.monotonicMs() - failedAt >= cooldownMs) known = null;
    if (known === null) {
      failedAt = null;
      known = discover(issuer, cooldownMs);
      known.catch(() => {
        failedAt = clock.monotonicMs();
      });
    }
    return known;
  };
}

async function discover(issuer: string, cooldownMs: number): Promise<JWTVerifyGetKey> {
  const at = new URL(`${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`);
  const answer = await fetch(at, { signal: AbortSignal.timeout(signInFetchMs), redirect: "error" });
  if (!answer.ok) throw new Error(`${at} answered ${answer.status}`);
  const document = (await answer.json()) as { issuer?: unknown; jwks_uri?: unknown };
  if (document.issuer !== issuer) throw new Error(`${at} is of another issuer`);
  const keys = new URL(String(document.jwks_uri));
  if (keys.protocol !== "https:" && keys.origin !== at.origin)
    throw new Error("the keys would come unencrypted");
  return createRemoteJWKSet(keys, {
    timeoutDuration: signInFetchMs,
    cooldownDuration: cooldownMs,
    cacheMaxAge: signInKeysMs,
  });
}
