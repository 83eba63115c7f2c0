import { SecretMasker, type SecretSet } from "./secretMasker.ts";

/** The bytes of one stream, from its beginning, with the secrets masked; as many as there were. */
export async function* maskedBytes(
  bytes: AsyncIterable<Uint8Array>,
  secrets: SecretSet,
): AsyncGenerator<Uint8Array> {
  const masker = new SecretMasker(secrets);
  for await (const part of bytes) {
    for (const ready of masker.push(part, 0)) yield ready.bytes;
  }
  for (const ready of masker.end()) yield ready.bytes;
}
