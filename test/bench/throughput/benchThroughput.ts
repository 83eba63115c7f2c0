import { setTimeout as pause } from "node:timers/promises";
import { waitFor } from "../../support/waitFor.ts";
import type { PostgresKind } from "../../support/withPostgres.ts";
import { alone, type BenchResult, compared, percentile } from "../figures.ts";
import { openApiClient } from "../system/apiClient.ts";
import { type CpuTimes, cpuPerTask, cpuTimes } from "../system/cpuTimes.ts";
import { countMessages, type MessageCounts, messagesPerTask, totalOf } from "../system/messageCounts.ts";
import { startUp } from "../system/runningUp.ts";
import { echoSpec } from "../system/specs.ts";
import { appendBare, prepareBareAppends, startBareServer } from "./bareAppends.ts";
import { connectBeside, driveTasks } from "./driveTasks.ts";

/** Five events, the feed's five, claim, report and one log chunk; one ledger reader, the claim, the report and room. */
const messagesMax = { stored: 13, delivered: 12 } as const;
const targets = { native: 0.15, embedded: 0.1 } as const;
/** What runs on in the background, such as the settling of ended attempts, does not burden the other side. */
const restMs = 700;
const warmTasksMax = 1_000;

export interface ThroughputOptions {
  readonly postgres: PostgresKind;
  readonly rounds: number;
  readonly tasks: number;
  readonly inFlight: number;
  readonly slots: number;
  readonly settings: Readonly<Record<string, string>>;
  readonly nodeArgs: readonly string[];
  readonly program: string | null;
}

interface Round {
  readonly value: number;
  readonly control: number;
  readonly cpu_ms_per_task: CpuTimes;
  readonly control_cpu_ms_per_task: CpuTimes;
  readonly messages_per_task: MessageCounts;
  readonly [more: string]: unknown;
}

const self = { pid: process.pid, withChildren: false };

/** No-op tasks through the API, everything recorded, against the bare appends of the same events. */
export async function benchThroughput(options: ThroughputOptions): Promise<BenchResult> {
  const { tasks, inFlight } = options;
  const up = await startUp({
    postgres: options.postgres,
    nodeArgs: options.nodeArgs,
    program: options.program,
    settings: { CAZI_NODE_RUNTIME: "noop", CAZI_NODE_SLOTS: String(options.slots), ...options.settings },
  });
  const bareServer = await startBareServer();
  const client = openApiClient(up);
  const connection = await connectBeside(up.nats);
  const bare = await connectBeside(bareServer);
  try {
    await prepareBareAppends(bare);
    const jsm = await connection.jetstreamManager();
    // The first append waits for the regression guard, which a machine under load may answer late.
    await waitFor("the first submit to be taken", () => client.submit(echoSpec), { pollMs: 500 });
    const processes = { ...up.processes, bench: self };
    const bareProcesses = { nats: { pid: bareServer.pid, withChildren: false }, bench: self };
    const read = async () => ({ cpu: cpuTimes(processes), messages: await countMessages(jsm) });
    const count = Math.min(tasks, warmTasksMax);
    const warm = await driveTasks(connection, client, { spec: echoSpec, count, inFlight, read });
    await appendBare(bare, warm.events);
    const rounds: Round[] = [];
    for (let round = 0; round < options.rounds; round++) {
      await pause(restMs);
      const driven = await driveTasks(connection, client, { spec: echoSpec, count: tasks, inFlight, read });
      const { before, after } = driven.readings;
      await pause(restMs);
      const bareBefore = cpuTimes(bareProcesses);
      const bareMs = await appendBare(bare, driven.events);
      const bareAfter = cpuTimes(bareProcesses);
      rounds.push({
        value: (tasks * 1000) / driven.ms,
        control: (tasks * 1000) / bareMs,
        submit_ms_p50: percentile(driven.submitMs, 0.5),
        submit_ms_p99: percentile(driven.submitMs, 0.99),
        events_per_task: driven.events.length / tasks,
        bytes_per_event: driven.events.reduce((sum, one) => sum + one.bytes.length, 0) / driven.events.length,
        cpu_ms_per_task: cpuPerTask(before.cpu, after.cpu, tasks),
        control_cpu_ms_per_task: cpuPerTask(bareBefore, bareAfter, tasks),
        messages_per_task: messagesPerTask(before.messages, after.messages, tasks),
      });
    }
    return {
      figures: [
        compared({
          name: `throughput, ${options.postgres} Postgres`,
          unit: "tasks/s",
          controlName: "bare appends of the same events",
          target: { of: "ratio", is: "at least", value: targets[options.postgres] },
          rounds,
        }),
        compared({
          name: `CPU a task, ${options.postgres} Postgres, all processes`,
          unit: "ms",
          controlName: "bare appends, client and server",
          target: null,
          rounds: rounds.map((one) => ({
            value: sum(one.cpu_ms_per_task),
            control: sum(one.control_cpu_ms_per_task),
          })),
        }),
        ...(["stored", "delivered"] as const).map((what) =>
          alone(
            `messages ${what} a task, ${options.postgres} Postgres`,
            "",
            rounds.map((one) => totalOf(one.messages_per_task[what])),
            { of: "value", is: "at most", value: messagesMax[what] },
          ),
        ),
      ],
      details: { [`throughput_${options.postgres}`]: rounds.at(-1) },
    };
  } finally {
    client.close();
    await Promise.all([connection.close(), bare.close()]);
    await Promise.all([up.stop(), bareServer.stop()]);
  }
}

function sum(times: CpuTimes): number {
  return Object.values(times).reduce((total, one) => total + one, 0);
}
