import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { projectRoot } from "../../../services/kernel/projectRoot.ts";
import { waitFor } from "../../support/waitFor.ts";
import type { PostgresKind } from "../../support/withPostgres.ts";
import { type BenchResult, compared, percentile } from "../figures.ts";
import { openApiClient } from "../system/apiClient.ts";
import { progress } from "../system/progress.ts";
import { startUp } from "../system/runningUp.ts";
import { echoSpec } from "../system/specs.ts";
import { prepareBareAppends, startBareServer } from "../throughput/bareAppends.ts";
import { connectBeside } from "../throughput/driveTasks.ts";
import { openLoop } from "./openLoop.ts";

export interface SubmitRateOptions {
  readonly postgres: PostgresKind;
  readonly rounds: number;
  readonly perSecond: number;
  /** Of one side in one round. */
  readonly seconds: number;
  readonly settings: Readonly<Record<string, string>>;
}

/** The tasks of the side before come to their ends. */
const restMs = 1_500;
const slots = "512";

/** Submits at a fixed rate, each measured from the time it was due. */
export async function benchSubmitRate(options: SubmitRateOptions): Promise<BenchResult> {
  const { postgres, perSecond, seconds } = options;
  const up = await startUp({
    postgres,
    nodeArgs: [],
    program: null,
    settings: { CAZI_NODE_RUNTIME: "noop", CAZI_NODE_SLOTS: slots, ...options.settings },
  });
  const bare = await startBareHttp();
  const client = openApiClient(up);
  const bareClient = openApiClient({ url: bare.url, token: "none" });
  try {
    await waitFor("the first submit to be taken", () => client.submit(echoSpec), { pollMs: 500 });
    const side = (of: typeof client, count: number) =>
      openLoop(() => of.submit(echoSpec), { perSecond, count });
    for (const one of [client, bareClient]) await side(one, perSecond * 2);
    const rounds: { task: readonly number[]; bare: readonly number[] }[] = [];
    for (let i = 0; i < options.rounds; i++) {
      await pause(restMs);
      const task = await side(client, perSecond * seconds);
      await pause(restMs);
      rounds.push({ task, bare: await side(bareClient, perSecond * seconds) });
      progress(`round ${i + 1}: p99 ${percentile(task, 0.99).toFixed(1)} ms`);
    }
    const figure = (name: string, share: number) =>
      compared({
        name: `submit at ${perSecond}/s, ${postgres} Postgres, ${name}`,
        unit: "ms",
        controlName: "bare HTTP and one publish",
        target: null,
        rounds: rounds.map((one) => ({
          value: percentile(one.task, share),
          control: percentile(one.bare, share),
        })),
      });
    return {
      figures: [figure("p50", 0.5), figure("p99", 0.99)],
      details: { [`submit_rate_${postgres}`]: { refused_for_now: client.refusals() } },
    };
  } finally {
    client.close();
    bareClient.close();
    await Promise.all([up.stop(), bare.stop()]);
  }
}

async function startBareHttp(): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const server = await startBareServer();
  const connection = await connectBeside(server);
  await prepareBareAppends(connection);
  await connection.close();
  const program = join(projectRoot, "test/bench/submitRate/bareServer.mjs");
  // It ends when its input does, so it never outlives the bench.
  const child = spawn(process.execPath, [program, server.url, server.credsFile], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const [port] = (await once(child.stdout, "data")) as [Buffer];
  return {
    url: `http://127.0.0.1:${String(port).trim()}`,
    stop: async () => {
      const ended = once(child, "exit");
      child.stdin.end();
      await ended;
      await server.stop();
    },
  };
}
