import { waitFor } from "../../support/waitFor.ts";
import type { PostgresKind } from "../../support/withPostgres.ts";
import { type BenchResult, compared, median, percentile } from "../figures.ts";
import { type ApiClient, openApiClient } from "../system/apiClient.ts";
import { type RunningUp, startUp } from "../system/runningUp.ts";
import { echoSpec } from "../system/specs.ts";
import { type BareContainers, openBareContainers } from "./bareContainers.ts";

export interface LatencyOptions {
  readonly postgres: PostgresKind;
  /** One after the other: pairs of a task and a bare container. */
  readonly pairs: number;
  /** Eight at once: rounds of `perRound` of each. */
  readonly rounds: number;
  readonly perRound: number;
  readonly dockerHost: string;
  readonly settings: Readonly<Record<string, string>>;
}

const atOnce = 8;
const warmRuns = 3;

/** `echo hi` in a container through the API, against the engine's own calls for the same container. */
export async function benchLatency(options: LatencyOptions): Promise<BenchResult> {
  const bare = await openBareContainers(options.dockerHost);
  const up = await startUp({
    postgres: options.postgres,
    nodeArgs: [],
    program: null,
    settings: {
      ...(options.dockerHost === "" ? {} : { DOCKER_HOST: options.dockerHost }),
      ...options.settings,
    },
  });
  const client = openApiClient(up);
  try {
    await waitFor("the first task", () => runTask(client), { deadlineMs: 60_000, pollMs: 500 });
    for (let i = 0; i < warmRuns; i++) {
      await runTask(client);
      await bare.run(echoSpec);
    }
    const sequential = await inTurns(client, bare, options.pairs);
    const parallel = await inRounds(client, bare, options);
    return { figures: [...sequential.figures, parallel], details: { latency: sequential.details } };
  } finally {
    client.close();
    await endAndClear(up, bare);
  }
}

interface TaskTimes {
  /** As the client sees it: from before the POST to after the answer of the wait. */
  readonly clientMs: number;
  /** By the events' own times. */
  readonly eventsMs: number;
}

async function runTask(client: ApiClient): Promise<TaskTimes> {
  const began = performance.now();
  const task = await client.waitForEnd(await client.submit(echoSpec));
  const clientMs = performance.now() - began;
  if (task.status !== "succeeded") throw new Error(`a task ended as ${task.status}`);
  return { clientMs, eventsMs: Date.parse(task.finished_at) - Date.parse(task.submitted_at) };
}

async function inTurns(client: ApiClient, bare: BareContainers, pairs: number) {
  const rounds: { value: number; control: number; events: number }[] = [];
  for (let i = 0; i < pairs; i++) {
    // Who goes first changes, so that what one leaves to the engine burdens both.
    const first = i % 2 === 0 ? await bare.run(echoSpec) : null;
    const task = await runTask(client);
    const control = first ?? (await bare.run(echoSpec));
    rounds.push({ value: task.clientMs, control, events: task.eventsMs });
  }
  const of = (key: "value" | "control") => rounds.map((one) => one[key]);
  return {
    figures: [
      compared({
        name: "latency of echo hi, one at a time",
        unit: "ms",
        controlName: "bare create, attach, start, wait",
        target: { of: "ratio", is: "at most", value: 1.05 },
        rounds,
      }),
    ],
    details: {
      ratio_of_medians: median(of("value")) / median(of("control")),
      p90_ms: { task: percentile(of("value"), 0.9), bare: percentile(of("control"), 0.9) },
      by_event_times_ms: median(rounds.map((one) => one.events)),
    },
  };
}

async function inRounds(client: ApiClient, bare: BareContainers, options: LatencyOptions) {
  const rounds: { value: number; control: number }[] = [];
  for (let i = 0; i < options.rounds; i++) {
    const value = await rateOf(options.perRound, () => runTask(client));
    const control = await rateOf(options.perRound, () => bare.run(echoSpec));
    rounds.push({ value, control });
  }
  return compared({
    name: `containers, ${atOnce} at once, ${options.rounds * options.perRound} each`,
    unit: "tasks/s",
    controlName: "bare containers, removal included",
    target: { of: "ratio", is: "at least", value: 0.95 },
    rounds,
  });
}

/** @returns runs a second, `atOnce` under way until none is left */
async function rateOf(count: number, run: () => Promise<unknown>): Promise<number> {
  let left = count;
  const began = performance.now();
  const worker = async () => {
    while (left-- > 0) await run();
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return (count * 1000) / (performance.now() - began);
}

/** Settled containers are removed at the next beat; the rest goes with the instance. */
async function endAndClear(up: RunningUp, bare: BareContainers): Promise<void> {
  await up.stop();
  await bare.clear(up.instance);
}
