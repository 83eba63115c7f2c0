/**
 * A project as one file: every source that a run of it reads, with the policy that names them, and a recorded run beside
 * it if wanted. The fingerprint covers all of it, so that what was reviewed is what is carried. Pure.
 */
import { createHash } from "node:crypto";
import { isJsonObject, type JsonValue } from "../membrane/jsonText.ts";

export interface BundledFile {
  /** Relative to the folder of the policy, with `/` between its parts. */
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly text: string;
}

export interface Bundle {
  readonly type: "cazi_agent_bundle";
  readonly schema_version: 1;
  readonly policy: string;
  readonly files: readonly BundledFile[];
  /** A run of this project, or null. */
  readonly audit: { readonly head: string; readonly text: string } | null;
  readonly sha256: string;
}

export function makeBundle(of: {
  readonly policy: string;
  readonly files: ReadonlyMap<string, string>;
  readonly audit: Bundle["audit"];
}): Bundle {
  const files = [...of.files]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, text]) => ({ path, bytes: Buffer.byteLength(text), sha256: sha256Of(text), text }));
  const bundle = {
    type: "cazi_agent_bundle",
    schema_version: 1,
    policy: of.policy,
    files,
    audit: of.audit,
  } as const;
  return { ...bundle, sha256: fingerprintOf(bundle) };
}

export type BundleReading = { readonly bundle: Bundle } | { readonly fault: string };

/** Believes nothing of the text: every hash is computed again. */
export function readBundle(text: string): BundleReading {
  const bundle = bundleOf(text);
  if (bundle === null) return { fault: "it is not a bundle of this version" };
  for (const { path, bytes, sha256, text: content } of bundle.files) {
    if (sha256Of(content) !== sha256 || Buffer.byteLength(content) !== bytes) {
      return { fault: `${path} is not what was bundled` };
    }
  }
  const paths = bundle.files.map(({ path }) => path);
  if (new Set(paths).size !== paths.length) return { fault: "a path stands twice" };
  const strange = paths.find((path) =>
    path.split("/").some((part) => part === "" || part === "." || part === ".."),
  );
  if (strange !== undefined) return { fault: `${strange} leads out of the project` };
  if (!paths.includes(bundle.policy)) return { fault: "its policy is not in it" };
  return fingerprintOf(bundle) === bundle.sha256 ? { bundle } : { fault: "its fingerprint is not its own" };
}

/** SHA-256 over one line for each part; the parts' hashes stand for their bytes. */
function fingerprintOf({ policy, files, audit }: Omit<Bundle, "sha256">): string {
  const lines = ["cazi-agent-bundle:v1", `policy:${JSON.stringify(policy)}`];
  for (const { path, sha256 } of files) lines.push(`file:${JSON.stringify(path)}:${sha256}`);
  lines.push(audit === null ? "audit:none" : `audit:${audit.head}:${sha256Of(audit.text)}`);
  return sha256Of(`${lines.join("\n")}\n`);
}

function sha256Of(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function bundleOf(text: string): Bundle | null {
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch {
    return null;
  }
  if (!isJsonObject(value) || value.type !== "cazi_agent_bundle" || value.schema_version !== 1) return null;
  const { files, audit, policy, sha256 } = value;
  const isText = (one: JsonValue | undefined) => typeof one === "string";
  const isFile = (one: JsonValue) =>
    isJsonObject(one) &&
    isText(one.path) &&
    isText(one.text) &&
    isText(one.sha256) &&
    typeof one.bytes === "number";
  const whole = Array.isArray(files) && files.every(isFile) && isText(policy) && isText(sha256);
  const audited = audit === null || (isJsonObject(audit!) && isText(audit.head) && isText(audit.text));
  return whole && audited ? (value as unknown as Bundle) : null;
}
