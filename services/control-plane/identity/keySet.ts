import type { RingKey } from "./keyRing.ts";
import { SIGNING_ALGORITHM } from "./signingKey.ts";

/** A JWK Set (RFC 7517) of public keys. */
export interface JsonWebKeySet {
  readonly keys: readonly {
    readonly kty: "OKP";
    readonly crv: "Ed25519";
    readonly x: string;
    readonly kid: string;
    readonly use: "sig";
    readonly alg: string;
  }[];
}

/** What `/.well-known/jwks.json` answers for these keys. */
export function keySet(keys: readonly RingKey[]): JsonWebKeySet {
  return {
    keys: keys.map(({ kid, public: { kty, crv, x } }) => ({
      kty,
      crv,
      x,
      kid,
      use: "sig",
      alg: SIGNING_ALGORITHM,
    })),
  };
}

/**
 * The discovery document of OpenID Connect, for verifiers that are configured with an issuer alone. Cazi is asked for
 * no tokens, so its authorization endpoint, which the document must have, is a name and no address: as Kubernetes does.
 */
export function discoveryDocument(issuer: string) {
  return {
    issuer,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    authorization_endpoint: "urn:cazi:programmatic_authorization",
    response_types_supported: ["id_token"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: [SIGNING_ALGORITHM],
    claims_supported: ["iss", "sub", "aud", "iat", "nbf", "exp", "jti", "cazi"],
  };
}
