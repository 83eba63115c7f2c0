/**
 * CRC-64-AVRO, the fingerprint of a schema's Parsing Canonical Form (Avro 1.11 specification, "Schema
 * Fingerprints"). `avsc` gives the canonical form but not this hash.
 */
const EMPTY = 0xc15d213aa4d7a795n;

const TABLE = Array.from({ length: 256 }, (_, index) => {
  let value = BigInt(index);
  for (let bit = 0; bit < 8; bit++) value = (value >> 1n) ^ (EMPTY & -(value & 1n));
  return BigInt.asUintN(64, value);
});

/** @returns the fingerprint as 8 bytes, little-endian, as single-object encoding wants it. */
export function crc64Avro(canonicalForm: string): Buffer {
  let value = EMPTY;
  for (const byte of Buffer.from(canonicalForm))
    value = (value >> 8n) ^ TABLE[Number((value ^ BigInt(byte)) & 0xffn)]!;
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt.asUintN(64, value));
  return bytes;
}
