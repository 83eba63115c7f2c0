import { type CryptoKey, calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK } from "jose";
import { Rejection } from "../../kernel/errors.ts";
import type { MasterKey } from "../../kernel/sealing/masterKey.ts";
import type { FreshKey, PublicKey, RingKey } from "./keyRing.ts";

const LABEL = "signing-key";
export const SIGNING_ALGORITHM = "EdDSA";

/** A new Ed25519 key pair, its private half sealed and bound to its thumbprint. */
export async function makeSigningKey(master: MasterKey): Promise<FreshKey> {
  const pair = await generateKeyPair(SIGNING_ALGORITHM, { crv: "Ed25519", extractable: true });
  const { x, d } = await exportJWK(pair.privateKey);
  const half: PublicKey = { kty: "OKP", crv: "Ed25519", x: x! };
  const kid = await calculateJwkThumbprint(half);
  const sealed = master.seal({ label: LABEL, parts: [kid] }, Buffer.from(d!, "base64url"));
  return { kid, public: half, sealed };
}

/**
 * The private half, ready to sign with.
 * @throws Rejection `MASTER_KEY_WRONG` where another master key sealed it
 */
export async function openSigningKey(master: MasterKey, key: RingKey): Promise<CryptoKey> {
  const opened = key.sealed === null ? null : master.open({ label: LABEL, parts: [key.kid] }, key.sealed);
  if (opened === null) throw wrongMasterKey();
  return (await importJWK(
    { ...key.public, d: opened.toString("base64url") },
    SIGNING_ALGORITHM,
  )) as CryptoKey;
}

export function wrongMasterKey(): Rejection {
  return new Rejection(
    "MASTER_KEY_WRONG",
    "The stored secrets were sealed with another master key than the one that this process has.",
    {
      hint: "Give every control plane the same CAZI_MASTER_KEY, or put CAZI_HOME/master-key back. See docs/workload-identity.md for one that is lost.",
    },
  );
}
