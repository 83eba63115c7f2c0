/**
 * Lines of a chain for a file that is written now. A record is turned into bytes once: they are hashed and written where
 * they stand, behind the previous hash.
 */
import { CHAIN_START, chainHash } from "./auditChain.ts";

const HASH_BYTES = CHAIN_START.length;
const SEAL_BYTES = HASH_BYTES + ',"hash":""}\n'.length;
/** Of UTF-8, for one character of a string. */
const CHARACTER_BYTES_MAX = 3;
const BYTES_KEPT = 64 * 1024;

export interface LineSealer {
  /**
   * Seals a record's text with the hash of the line before, to the byte of auditChain.ts.
   * @returns the line's bytes with its newline, good until the next call, and its hash
   */
  seal(previous: string, text: string): { readonly bytes: Uint8Array; readonly hash: string };
}

export function createLineSealer(): LineSealer {
  const kept = Buffer.allocUnsafe(BYTES_KEPT);
  return {
    seal(previous, text) {
      const needed = HASH_BYTES + text.length * CHARACTER_BYTES_MAX + SEAL_BYTES;
      const bytes = needed > BYTES_KEPT ? Buffer.allocUnsafe(needed) : kept;
      bytes.write(previous, 0, "latin1");
      const end = HASH_BYTES + bytes.write(text, HASH_BYTES, "utf8");
      const hash = chainHash(bytes.subarray(0, end));
      // In the place of the record's last brace.
      const sealed = bytes.write(`,"hash":"${hash}"}\n`, end - 1, "latin1");
      return { bytes: bytes.subarray(HASH_BYTES, end - 1 + sealed), hash };
    },
  };
}
