import type Docker from "dockerode";
import type { DockerOptions } from "dockerode";

/**
 * Makes a client of the engine at `dockerHost` (the form of `DOCKER_HOST`; empty: the default socket). The
 * library takes 230 ms to load, so it is loaded here and nowhere else, when a node really runs containers.
 */
export async function openDockerClient(dockerHost: string): Promise<Docker> {
  const { default: Client } = await import("dockerode");
  return new Client(clientOptions(dockerHost));
}

/** The client's options for a `DOCKER_HOST`. */
export function clientOptions(dockerHost: string): DockerOptions {
  if (dockerHost === "") return { socketPath: "/var/run/docker.sock" };
  if (dockerHost.startsWith("unix://")) return { socketPath: dockerHost.slice("unix://".length) };
  const url = new URL(dockerHost.replace(/^tcp:/, "http:"));
  return {
    protocol: url.protocol === "https:" ? "https" : "http",
    host: url.hostname,
    port: url.port === "" ? 2375 : Number(url.port),
  };
}
