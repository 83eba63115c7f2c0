import { setTimeout as pause } from "node:timers/promises";
import type Docker from "dockerode";
import { parseExecutionSpec } from "../../../services/node-agent/executionSpec.ts";
import { containerConfig } from "../../../services/node-agent/runtimes/docker/containerConfig.ts";
import { toLabels } from "../../../services/node-agent/runtimes/docker/containerLabels.ts";
import { openDockerClient } from "../../../services/node-agent/runtimes/docker/dockerClient.ts";

/** The control: the engine's own calls for one container, with the very configuration that the product asks for. */
export interface BareContainers {
  /** Create, attach, start, wait; removal comes after and is awaited. */
  run(spec: string): Promise<BareRun>;
  /** Create and start; then, once it has run for `settleMs`, stop and remove. @returns milliseconds of the last two */
  stop(spec: string, of: { readonly graceSeconds: number; readonly settleMs: number }): Promise<number>;
  /** Removes what is left of its own containers and of another instance's. */
  clear(instance: string): Promise<void>;
}

export interface BareRun {
  /** Milliseconds until `wait` answered. */
  readonly ms: number;
  /** How much of it the engine took from the exit, by its own note, to that answer. */
  readonly finishedToAnsweredMs: number;
}

const ownInstance = `cazi-bench-${process.pid}`;
const stopGraceMs = 10_000;
/** A `wait` sent at the wrong moment may hang; the product looks itself from time to time, and so does this. */
const watchdogMs = 5_000;

export async function openBareContainers(dockerHost: string): Promise<BareContainers> {
  const docker = await openDockerClient(dockerHost);
  let count = 0;
  return {
    run: async (spec) => {
      const config = bareConfig(spec, ++count);
      const began = performance.now();
      const container = await docker.createContainer(config);
      const output = await container.attach({ stream: true, stdout: true, stderr: true });
      output.resume();
      await container.start();
      await ended(container);
      const ms = performance.now() - began;
      const answeredAt = Date.now();
      const { FinishedAt } = (await container.inspect()).State;
      await container.remove({ force: true, v: true });
      return { ms, finishedToAnsweredMs: answeredAt - Date.parse(FinishedAt) };
    },
    stop: async (spec, { graceSeconds, settleMs }) => {
      const container = await docker.createContainer(bareConfig(spec, ++count));
      await container.start();
      await pause(settleMs);
      const began = performance.now();
      await container.stop({ t: graceSeconds });
      await container.remove({ v: true });
      return performance.now() - began;
    },
    clear: async (other) => {
      for (const one of [ownInstance, other]) {
        const label = [`cazi.instance=${one}`];
        const left = await docker.listContainers({ all: true, filters: { label } });
        for (const { Id } of left) await docker.getContainer(Id).remove({ force: true, v: true });
      }
    },
  };
}

/** The engine's configuration for a spec, as the node agent makes it. @param number tells names apart */
export function bareConfig(text: string, number: number) {
  const spec = parseExecutionSpec(text);
  const ref = { tenant: "default", task: `bench${number}`, attempt: 1, fence: `bench${number}` };
  const image = { ref: spec.image, repo_digest: null, image_id: null };
  const terms = {
    timeoutMs: spec.timeout_seconds * 1000,
    stopGraceMs,
    outputBytesMax: spec.max_output_bytes,
    grantedAt: { epoch: "", seq: 0 },
    image,
  };
  const config = containerConfig({
    name: `${ownInstance}-${number}`,
    labels: toLabels({ instance: ownInstance, node: "bench" }, ref, terms),
    spec,
    image,
    mounts: [],
    stopGraceMs,
    policy: { networks: ["bridge", "none"] },
  });
  if (typeof config === "string") throw new Error(config);
  return config;
}

async function ended(container: Docker.Container): Promise<void> {
  const answered = container.wait();
  answered.catch(() => {});
  for (;;) {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<"late">((resolve) => {
      timer = setTimeout(() => resolve("late"), watchdogMs);
    });
    const first = await Promise.race([answered, late]);
    clearTimeout(timer);
    if (first !== "late" || !(await container.inspect()).State.Running) return;
  }
}
