import * as crypto from "node:crypto";

/** In one step where Node has it (20.12): half the time of an object for each hash. */
const hashOnce = (crypto as { readonly hash?: (algorithm: string, data: string | Uint8Array) => string })
  .hash;

/** SHA-256 in hex; a text counts as UTF-8. */
export function sha256(content: string | Uint8Array): string {
  if (hashOnce !== undefined) return hashOnce("sha256", content);
  return crypto.createHash("sha256").update(content).digest("hex");
}
