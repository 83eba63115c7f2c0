/**
 * Which paths a spec may name in a mount, by their text. The node decides again on the real path, with its
 * allowlist; refusing here costs no container and tells the caller at once.
 */

/** Whoever can write here owns the host, or the engine, or reads what other tasks hold. */
const FORBIDDEN_SOURCES = [
  "/boot",
  "/dev",
  "/etc",
  "/proc",
  "/root",
  "/run",
  "/sys",
  "/var/lib/containerd",
  "/var/lib/docker",
  "/var/run",
];
const ENGINE_SOCKETS = new Set([
  "docker.sock",
  "containerd.sock",
  "podman.sock",
  "crio.sock",
  "cri-dockerd.sock",
]);
/** Made by the kernel, the engine, or Cazi itself (`/pipe` holds a previous step's output, `/artifacts` what
 * the container leaves behind). */
const FORBIDDEN_TARGETS = ["/artifacts", "/dev", "/pipe", "/proc", "/sys"];

/** `path` without empty, `.` and `..` parts and without a final slash; `..` never climbs above `/`. */
export function normalizePath(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === "..") parts.pop();
    else parts.push(part);
  }
  return `/${parts.join("/")}`;
}

/** Why a host path may not be mounted, or null. Takes a normalised path. */
export function whyForbiddenSource(path: string): string | null {
  if (ENGINE_SOCKETS.has(path.slice(path.lastIndexOf("/") + 1))) return `${path} is an engine's socket`;
  const inside = FORBIDDEN_SOURCES.find((root) => isWithin(path, root));
  if (inside !== undefined) return `${inside} of the host is never mounted`;
  const holds = FORBIDDEN_SOURCES.find((root) => isWithin(root, path));
  return holds === undefined ? null : `it would bring in ${holds} of the host`;
}

/** Why nothing may be mounted at a path of the container, or null. Takes a normalised path. */
export function whyForbiddenTarget(path: string): string | null {
  if (path === "/") return "the root of the container cannot be replaced";
  const inside = FORBIDDEN_TARGETS.find((root) => isWithin(path, root));
  return inside === undefined ? null : `${inside} of the container is not to be replaced`;
}

/** True when `path` is `root` or below it. */
export function isWithin(path: string, root: string): boolean {
  return path === root || path.startsWith(root === "/" ? "/" : `${root}/`);
}
