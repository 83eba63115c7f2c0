import { createHash } from "node:crypto";
import { isRefusal } from "../../../domain/refusal.ts";
import { parseImageReference } from "../../../domain/spec/imageReference.ts";

export interface RegistryCredentials {
  readonly username: string;
  readonly password: string;
}

const HUB_NAMES: ReadonlySet<string> = new Set(["docker.io", "index.docker.io", "registry-1.docker.io"]);

/** The task's credentials for the registry that a reference names, or null. Docker Hub has several names. Pure. */
export function credentialsFor(
  ref: string,
  registries: Readonly<Record<string, RegistryCredentials>>,
): RegistryCredentials | null {
  const reference = parseImageReference(ref);
  if (isRefusal(reference)) return null;
  const host = hostOf(reference.registry);
  const found = Object.entries(registries).find(([name]) => hostOf(name) === host);
  return found?.[1] ?? null;
}

function hostOf(registry: string | null): string {
  const host = registry?.toLowerCase() ?? "docker.io";
  return HUB_NAMES.has(host) ? "docker.io" : host;
}

/** Tells pulls with different credentials apart, in memory. Pure. */
export function credentialsMark(credentials: RegistryCredentials | null): string {
  if (credentials === null) return "";
  const { username, password } = credentials;
  return createHash("sha256")
    .update(JSON.stringify([username, password]))
    .digest("hex");
}
