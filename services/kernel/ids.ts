import { createHash, randomBytes } from "node:crypto";

/** Crockford's base 32, lower case: ids are file names, subject tokens and container names as they stand. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const ID_LENGTH = 26;

function base32(bytes: Uint8Array): string {
  let bits = 0;
  let value = 0;
  let text = "";
  for (const byte of bytes) {
    value = (value << 8) | byte;
    bits += 8;
    while (bits >= 5 && text.length < ID_LENGTH) {
      bits -= 5;
      text += ALPHABET[(value >>> bits) & 31];
    }
    value &= (1 << bits) - 1;
  }
  return text;
}

/**
 * A new id: 48 bits of time, 82 random bits, 26 characters, sortable by creation time.
 * @param nowMs milliseconds since 1970; the caller passes its clock
 */
export function newId(nowMs: number): string {
  let time = "";
  let rest = nowMs;
  for (let i = 0; i < 10; i++) {
    time = ALPHABET[rest % 32] + time;
    rest = Math.floor(rest / 32);
  }
  return time + base32(nextRandom()).slice(0, 16);
}

const RANDOM_BYTES = 11;
/** A call to the generator costs the same for one id as for hundreds. */
const IDS_PER_CALL = 256;
let random = Buffer.alloc(0);
let used = 0;

/** Bytes that nothing else was or will be made from. */
function nextRandom(): Uint8Array {
  if (used + RANDOM_BYTES > random.length) {
    random = randomBytes(RANDOM_BYTES * IDS_PER_CALL);
    used = 0;
  }
  used += RANDOM_BYTES;
  return random.subarray(used - RANDOM_BYTES, used);
}

/**
 * The id that follows from `parts`: the same parts give the same id for ever, on every machine. Every
 * follow-up of the process managers (a claim, a retry, an idempotent submit) is named this way, so that doing
 * it twice is doing it once. Parts are length-prefixed: `("ab","c")` and `("a","bc")` differ.
 */
export function derivedId(...parts: readonly (string | number)[]): string {
  const hash = createHash("sha256");
  for (const part of parts) {
    const text = String(part);
    hash.update(`${Buffer.byteLength(text)}:`).update(text);
  }
  return base32(hash.digest());
}
