import { type CryptoKey, SignJWT } from "jose";
import { SIGNING_ALGORITHM } from "./signingKey.ts";
import type { WorkloadClaims } from "./workloadClaims.ts";

/** Signs the claims as a compact JWT; its header names the key. */
export async function issueWorkloadToken(
  claims: WorkloadClaims,
  key: { readonly kid: string; readonly privateKey: CryptoKey },
): Promise<string> {
  return new SignJWT({ ...claims, aud: [...claims.aud] })
    .setProtectedHeader({ alg: SIGNING_ALGORITHM, kid: key.kid, typ: "JWT" })
    .sign(key.privateKey);
}
