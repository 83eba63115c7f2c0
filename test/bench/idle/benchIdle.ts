import { setTimeout as pause } from "node:timers/promises";
import { subjects } from "../../../streams/subjects.ts";
import { waitFor } from "../../support/waitFor.ts";
import type { PostgresKind } from "../../support/withPostgres.ts";
import { type BenchResult, compared, median, percentile } from "../figures.ts";
import { openApiClient } from "../system/apiClient.ts";
import { startUp } from "../system/runningUp.ts";
import { echoSpec } from "../system/specs.ts";
import { startBareServer } from "../throughput/bareAppends.ts";
import { connectBeside } from "../throughput/driveTasks.ts";
import { type BareTasks, openBareTasks } from "./bareTask.ts";
import { type TimedEvent, timedHistory, wallClockOffsetMs } from "./ledgerTimes.ts";

export interface IdleOptions {
  readonly postgres: PostgresKind;
  /** Pairs of a task and its control. */
  readonly pairs: number;
  readonly settings: Readonly<Record<string, string>>;
  readonly nodeArgs: readonly string[];
  readonly program: string | null;
}

/** Lets the task before come to rest: each meets an idle system. */
const restMs = 60;
const warmPairs = 15;
const tenant = "default";

/** From before the POST to the storing of `running`, with nothing else under way, on the no-op executor. */
export async function benchIdle(options: IdleOptions): Promise<BenchResult> {
  const up = await startUp({
    postgres: options.postgres,
    nodeArgs: options.nodeArgs,
    program: options.program,
    settings: { CAZI_NODE_RUNTIME: "noop", ...options.settings },
  });
  const server = await startBareServer();
  const client = openApiClient(up);
  const [connection, beside] = [await connectBeside(up.nats), await connectBeside(server)];
  let bare: BareTasks | null = null;
  try {
    await waitFor("the first submit to be taken", () => client.submit(echoSpec), { pollMs: 500 });
    const jsm = await connection.jetstreamManager();
    const bareJsm = await beside.jetstreamManager();
    const task = async () => {
      const offset = wallClockOffsetMs();
      const began = offset + performance.now();
      const id = await client.submit(echoSpec);
      const answeredMs = offset + performance.now() - began;
      const events = await wholeHistory(() =>
        timedHistory(jsm, subjects.ledger({ tenant, kind: "task", id })),
      );
      return { ...steps(began, events), answeredMs, events };
    };
    const first = await task();
    const tasks = await openBareTasks(server, first.events);
    bare = tasks;
    const control = async () => {
      const began = wallClockOffsetMs() + performance.now();
      const subject = await tasks.run();
      return steps(began, await wholeHistory(() => timedHistory(bareJsm, subject)));
    };
    const rounds: { task: Awaited<ReturnType<typeof task>>; bare: Steps }[] = [];
    for (let i = -warmPairs; i < options.pairs; i++) {
      const round = { task: await task(), bare: await control() };
      if (i >= 0) rounds.push(round);
    }
    return resultOf(options.postgres, rounds);
  } finally {
    client.close();
    await bare?.stop();
    await Promise.all([connection.close(), beside.close()]);
    await Promise.all([up.stop(), server.stop()]);
  }
}

/** Milliseconds from the start to the storing of each event. */
interface Steps {
  readonly submitted: number;
  readonly scheduled: number;
  readonly claimed: number;
  readonly running: number;
}

function steps(began: number, events: readonly TimedEvent[]): Steps {
  const at = (type: string) => events.find((one) => one.type === type)!.storedMs - began;
  return {
    submitted: at("submitted"),
    scheduled: at("scheduled"),
    claimed: at("claimed"),
    running: at("running"),
  };
}

/** Asked for only after a rest: reading meanwhile would be one more thing that the task waits for. */
async function wholeHistory(read: () => Promise<TimedEvent[]>): Promise<TimedEvent[]> {
  await pause(restMs);
  return waitFor("the end of a no-op task", async () => {
    const events = await read();
    return events.some((one) => one.type === "succeeded") ? events : null;
  });
}

function resultOf(
  kind: PostgresKind,
  rounds: readonly { readonly task: Steps & { readonly answeredMs: number }; readonly bare: Steps }[],
): BenchResult {
  const medians = (of: (round: (typeof rounds)[number]) => Steps) =>
    Object.fromEntries(
      (["submitted", "scheduled", "claimed", "running"] as const).map((step) => [
        step,
        median(rounds.map((round) => of(round)[step])),
      ]),
    );
  return {
    figures: [
      compared({
        name: `idle submit to running, ${kind} Postgres, p50`,
        unit: "ms",
        controlName: "the same messages, bare",
        target: { of: "ratio", is: "at most", value: 3 },
        rounds: rounds.map(({ task, bare }) => ({ value: task.running, control: bare.running })),
      }),
    ],
    details: {
      [`idle_${kind}`]: {
        stored_after_ms: { task: medians(({ task }) => task), bare: medians(({ bare }) => bare) },
        answered_after_ms: median(rounds.map(({ task }) => task.answeredMs)),
        running_p90_ms: {
          task: percentile(
            rounds.map(({ task }) => task.running),
            0.9,
          ),
          bare: percentile(
            rounds.map(({ bare }) => bare.running),
            0.9,
          ),
        },
      },
    },
  };
}
