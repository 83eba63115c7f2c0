/** FNV-1a, 64 bit, as the policy files write it. It is a checksum against mistakes; SHA-256 stands beside it. */

const OFFSET = 0xcbf29ce484222325n;
const PRIME = 0x100000001b3n;
const MASK = 0xffffffffffffffffn;

/** `fnv1a64:` and 16 hex digits over the exact bytes. */
export function fnv1a64(bytes: Uint8Array): string {
  let hash = OFFSET;
  for (const byte of bytes) hash = ((hash ^ BigInt(byte)) * PRIME) & MASK;
  return `fnv1a64:${hash.toString(16).padStart(16, "0")}`;
}
