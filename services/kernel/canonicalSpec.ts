import { createHash } from "node:crypto";
import type { WorkloadSpec } from "../domain/spec/workloadSpec.ts";
import { canonicalJson } from "./canonicalJson.ts";

/**
 * The form in which a spec is stored and replayed: canonical JSON (RFC 8785) and its digest,
 * `sha256:<64 hex digits>` over the UTF-8 bytes. The same spec gives the same digest whatever the order of its
 * keys, and whether its defaults were written out or not, because `readSpec` fills them in.
 */
export function canonicalSpec(spec: WorkloadSpec): { readonly json: string; readonly digest: string } {
  const json = canonicalJson(spec);
  return { json, digest: `sha256:${createHash("sha256").update(json).digest("hex")}` };
}
