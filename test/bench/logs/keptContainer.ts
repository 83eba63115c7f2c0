import { spawn } from "node:child_process";
import { once } from "node:events";
import { openDockerClient } from "../../../services/node-agent/runtimes/docker/dockerClient.ts";
import { bareConfig } from "../latency/bareContainers.ts";
import { onInterrupt } from "../system/onInterrupt.ts";

export interface KeptContainer {
  /** From before its start until all it wrote had come through an attach, thrown away: as fast as it can be had at all. */
  readonly attachedMs: number;
  /** `docker logs` of it into nothing. @returns milliseconds */
  readLog(): Promise<number>;
  remove(): Promise<void>;
}

/** The control: a container of the very configuration that the product asks for, ended and kept with its log. */
export async function startKeptContainer(spec: string, dockerHost: string): Promise<KeptContainer> {
  const docker = await openDockerClient(dockerHost);
  const container = await docker.createContainer(bareConfig(spec, 1));
  const remove = async () => {
    forget();
    await container.remove({ force: true, v: true });
  };
  const forget = onInterrupt(remove);
  const output = await container.attach({ stream: true, stdout: true, stderr: true });
  const ended = once(output, "end");
  output.resume();
  const began = performance.now();
  await container.start();
  await ended;
  const attachedMs = performance.now() - began;
  await container.wait();
  return { attachedMs, readLog: () => msOfLogs(container.id, dockerHost), remove };
}

async function msOfLogs(id: string, dockerHost: string): Promise<number> {
  const began = performance.now();
  const reader = spawn("docker", ["logs", id], {
    stdio: "ignore",
    env: { ...process.env, ...(dockerHost === "" ? {} : { DOCKER_HOST: dockerHost }) },
  });
  const [code] = (await once(reader, "exit")) as [number | null];
  if (code !== 0) throw new Error(`docker logs ended with ${code}`);
  return performance.now() - began;
}
