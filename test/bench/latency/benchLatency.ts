import { waitFor } from "../../support/waitFor.ts";
import type { PostgresKind } from "../../support/withPostgres.ts";
import { type BenchResult, compared, median, percentile } from "../figures.ts";
import { type ApiClient, type EndedTask, openApiClient } from "../system/apiClient.ts";
import { onInterrupt } from "../system/onInterrupt.ts";
import { startUp } from "../system/runningUp.ts";
import { echoSpec } from "../system/specs.ts";
import { type BareContainers, type BareRun, openBareContainers } from "./bareContainers.ts";

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
  const forget = onInterrupt(() => bare.clear(up.instance));
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
    forget();
    await up.stop();
    // Settled containers are removed at the next beat; those of the last seconds are removed here.
    await bare.clear(up.instance);
  }
}

interface TaskTimes {
  /** As the client sees it: from before the POST to after the answer of the wait. */
  readonly clientMs: number;
  readonly task: EndedTask;
}

/** Where the time went, by the events' own times, in milliseconds. */
interface Steps {
  readonly submitted_to_scheduled: number;
  readonly scheduled_to_claimed: number;
  /** Image, container, attach, marker, start: by the engine's own note of the start. */
  readonly claimed_to_started: number;
  readonly started_to_finished: number;
  /** Exit seen, output stored, report taken: to the terminal event. */
  readonly finished_to_recorded: number;
}

async function runTask(client: ApiClient): Promise<TaskTimes> {
  const began = performance.now();
  const task = await client.waitForEnd(await client.submit(echoSpec));
  const clientMs = performance.now() - began;
  if (task.status !== "succeeded") throw new Error(`a task ended as ${task.status}`);
  return { clientMs, task };
}

async function stepsOf(client: ApiClient, task: EndedTask): Promise<Steps> {
  // The history is read from Postgres, which may be a batch behind the ledger.
  const events = await waitFor("the whole history", async () => {
    const all = await client.events(task.id);
    return all.some((one) => one.type === "succeeded") ? all : null;
  });
  const at = (type: string) => Date.parse(events.find((one) => one.type === type)!.at);
  const started = Date.parse(task.started_at);
  const finished = Date.parse(task.finished_at);
  return {
    submitted_to_scheduled: at("scheduled") - at("submitted"),
    scheduled_to_claimed: at("claimed") - at("scheduled"),
    claimed_to_started: started - at("claimed"),
    started_to_finished: finished - started,
    finished_to_recorded: at("succeeded") - finished,
  };
}

async function inTurns(client: ApiClient, bare: BareContainers, pairs: number) {
  const rounds: { value: number; control: number; steps: Steps; bare: BareRun }[] = [];
  for (let i = 0; i < pairs; i++) {
    // Who goes first changes, so that what one leaves to the engine burdens both.
    const first = i % 2 === 0 ? await bare.run(echoSpec) : null;
    const task = await runTask(client);
    const control = first ?? (await bare.run(echoSpec));
    const steps = await stepsOf(client, task.task);
    rounds.push({ value: task.clientMs, control: control.ms, steps, bare: control });
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
      steps_ms: Object.fromEntries(
        (Object.keys(rounds[0]!.steps) as (keyof Steps)[]).map((step) => [
          step,
          median(rounds.map((one) => one.steps[step])),
        ]),
      ),
      // The part of `finished_to_recorded` that is the engine's own: it ends a container's task and network first.
      bare_finished_to_answered_ms: median(rounds.map((one) => one.bare.finishedToAnsweredMs)),
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
