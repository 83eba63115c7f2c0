import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from "node:crypto";
import { Rejection } from "../errors.ts";

/** What a value is, and where it belongs: it is opened there and nowhere else. */
export interface SealedPlace {
  /** Kind of thing, such as `connection`: each kind has a key of its own. */
  readonly label: string;
  /** Its names, such as tenant, name and version. */
  readonly parts: readonly (string | number)[];
}

export interface MasterKey {
  /** Tells two master secrets apart and says nothing about them. */
  readonly fingerprint: string;
  /** @returns text that needs no escaping anywhere */
  seal(place: SealedPlace, plain: Uint8Array): string;
  /** Null where it was sealed for another place, by another master secret, or was changed. */
  open(place: SealedPlace, sealed: string): Buffer | null;
}

/** Fewer could be guessed by trying. */
const SECRET_CHARS_MIN = 32;
const FORMAT = "s1";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * The keys that follow from a master secret (HKDF-SHA256, RFC 5869); values are sealed by AES-256-GCM with a random nonce.
 * @param secret at least 32 characters that nobody can guess, such as `openssl rand -base64 32` gives
 * @throws Rejection `MASTER_KEY_INVALID`
 */
export function openMasterKey(secret: string): MasterKey {
  if (secret.length < SECRET_CHARS_MIN) {
    throw new Rejection(
      "MASTER_KEY_INVALID",
      `the master key has fewer than ${SECRET_CHARS_MIN} characters`,
      {
        hint: "Make one with `openssl rand -base64 32`, and keep it as long as what it protects.",
      },
    );
  }
  const derived = new Map<string, Buffer>();
  const keyOf = (label: string) => {
    const known = derived.get(label);
    if (known !== undefined) return known;
    const key = Buffer.from(hkdfSync("sha256", secret, "", `cazi/${label}/1`, 32));
    derived.set(label, key);
    return key;
  };
  return {
    fingerprint: keyOf("fingerprint").subarray(0, 12).toString("base64url"),
    seal: ({ label, parts }, plain) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", keyOf(label), nonce).setAAD(bound(parts));
      const bytes = Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
      return `${FORMAT}.${bytes.toString("base64url")}`;
    },
    open: ({ label, parts }, sealed) => {
      const [format, text] = sealed.split(".");
      const bytes = Buffer.from(text ?? "", "base64url");
      if (format !== FORMAT || bytes.length < NONCE_BYTES + TAG_BYTES) return null;
      const decipher = createDecipheriv("aes-256-gcm", keyOf(label), bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(bound(parts)).setAuthTag(bytes.subarray(-TAG_BYTES));
      try {
        return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
      } catch {
        return null;
      }
    },
  };
}

/** Each part is hashed with its length, so that ("ab","c") and ("a","bc") differ. */
function bound(parts: SealedPlace["parts"]): Buffer {
  const hash = createHash("sha256");
  for (const part of parts) {
    const text = String(part);
    hash.update(`${Buffer.byteLength(text)}:`).update(text);
  }
  return hash.digest();
}
