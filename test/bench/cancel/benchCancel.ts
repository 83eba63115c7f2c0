import { setTimeout as pause } from "node:timers/promises";
import { instanceContainers } from "../../support/instanceContainers.ts";
import { waitFor } from "../../support/waitFor.ts";
import { type BenchResult, compared, type Figure, median } from "../figures.ts";
import { type BareContainers, openBareContainers } from "../latency/bareContainers.ts";
import { type ApiClient, openApiClient } from "../system/apiClient.ts";
import { onInterrupt } from "../system/onInterrupt.ts";
import { type RunningUp, startUp } from "../system/runningUp.ts";

export interface CancelOptions {
  /** One after the other: pairs of a cancelled task and a bare container that is stopped. */
  readonly pairs: number;
  readonly dockerHost: string;
  readonly settings: Readonly<Record<string, string>>;
}

/** Time that a container has between SIGTERM and SIGKILL. */
const graceSeconds = 1;
/** A container that has come so far takes signals. */
const settleMs = 300;

const kinds = [
  { name: "that ends at once", command: ["sleep", "600"] },
  {
    name: `that ignores SIGTERM, ${graceSeconds} s of grace`,
    command: ["sh", "-c", "trap '' TERM; while true; do sleep 1; done"],
  },
] as const;

/**
 * From before the request to cancel until the engine has no such container any more. Beside the engine's own stop, with the
 * same signal and grace, and removal of a container of the same configuration.
 */
export async function benchCancel(options: CancelOptions): Promise<BenchResult> {
  const { dockerHost } = options;
  const bare = await openBareContainers(dockerHost);
  const settings = {
    CAZI_STOP_GRACE_SECONDS: String(graceSeconds),
    ...(dockerHost === "" ? {} : { DOCKER_HOST: dockerHost }),
    ...options.settings,
  };
  const up = await startUp({ postgres: "embedded", nodeArgs: [], program: null, settings });
  const client = openApiClient(up);
  const forget = onInterrupt(() => bare.clear(up.instance));
  try {
    const figures: Figure[] = [];
    const endedMs: Record<string, number> = {};
    for (const { name, command } of kinds) {
      const spec = JSON.stringify({ image: "cazi/toolbox:latest", command, timeout_seconds: 900 });
      const ran = await inTurns({ up, client, bare, dockerHost }, spec, options.pairs);
      endedMs[name] = median(ran.map((one) => one.endedMs));
      figures.push(
        compared({
          name: `cancel to gone, container ${name}`,
          unit: "ms",
          controlName: "bare stop and remove",
          target: null,
          rounds: ran,
        }),
      );
    }
    return { figures, details: { cancel_to_terminal_event_ms: endedMs } };
  } finally {
    client.close();
    forget();
    await up.stop();
    await bare.clear(up.instance);
  }
}

interface Parties {
  readonly up: RunningUp;
  readonly client: ApiClient;
  readonly bare: BareContainers;
  readonly dockerHost: string;
}

async function inTurns(parties: Parties, spec: string, pairs: number) {
  const rounds: { value: number; control: number; endedMs: number }[] = [];
  await parties.bare.stop(spec, { graceSeconds, settleMs });
  await cancelled(parties, spec);
  for (let i = 0; i < pairs; i++) {
    const first = i % 2 === 0 ? await parties.bare.stop(spec, { graceSeconds, settleMs }) : null;
    const { goneMs, endedMs } = await cancelled(parties, spec);
    const control = first ?? (await parties.bare.stop(spec, { graceSeconds, settleMs }));
    rounds.push({ value: goneMs, control, endedMs });
  }
  return rounds;
}

async function cancelled({ up, client, dockerHost }: Parties, spec: string) {
  const containers = instanceContainers(dockerHost || "unix:///var/run/docker.sock", up.instance);
  const id = await waitFor("a task to be taken", () => client.submit(spec), { deadlineMs: 60_000 });
  await waitFor("its container to run", async () => (await containers.ofTask(id))?.State === "running", {
    deadlineMs: 60_000,
  });
  await pause(settleMs);
  const began = performance.now();
  const ended = client.cancelAndWait(id).then((task) => {
    if (task.status !== "cancelled") throw new Error(`a cancelled task ended as ${task.status}`);
    return performance.now() - began;
  });
  await waitFor("its container to be gone", async () => (await containers.ofTask(id)) === null, {
    pollMs: 10,
    deadlineMs: 60_000,
  });
  return { goneMs: performance.now() - began, endedMs: await ended };
}
