import { setTimeout as pause } from "node:timers/promises";
import { waitFor } from "../../support/waitFor.ts";
import type { PostgresKind } from "../../support/withPostgres.ts";
import { alone, type BenchResult, compared, percentile } from "../figures.ts";
import { openApiClient } from "../system/apiClient.ts";
import { startUp } from "../system/runningUp.ts";
import { echoSpec } from "../system/specs.ts";
import { connectBeside } from "../throughput/driveTasks.ts";

export interface SubmitOptions {
  readonly postgres: PostgresKind;
  readonly submits: number;
  readonly settings: Readonly<Record<string, string>>;
}

/** Lets the task before run to its end: each submit meets an idle system. */
const restMs = 60;
const floorSubject = "bench.floor";

/** A submit and its answer while nothing else goes on; beside it one answered question to the NATS server alone. */
export async function benchSubmit(options: SubmitOptions): Promise<BenchResult> {
  const up = await startUp({
    postgres: options.postgres,
    nodeArgs: [],
    program: null,
    settings: { CAZI_NODE_RUNTIME: "noop", ...options.settings },
  });
  const client = openApiClient(up);
  const connection = await connectBeside(up.nats);
  try {
    const echo = await connectBeside(up.nats);
    echo.subscribe(floorSubject, { callback: (_error, message) => void message.respond() });
    await echo.flush();
    await waitFor("the first submit to be taken", () => client.submit(echoSpec), {
      pollMs: 500,
      deadlineMs: 60_000,
    });
    for (let i = 0; i < 20; i++) await client.submit(echoSpec);
    const rounds: { value: number; control: number }[] = [];
    for (let i = 0; i < options.submits; i++) {
      await pause(restMs);
      const value = await msOf(() => client.submit(echoSpec));
      await pause(restMs);
      rounds.push({
        value,
        control: await msOf(() => connection.request(floorSubject, "", { timeout: 5_000 })),
      });
    }
    await echo.close();
    return {
      figures: [
        compared({
          name: `submit at idle, ${options.postgres} Postgres, p50`,
          unit: "ms",
          controlName: "one request through NATS",
          target: null,
          rounds,
        }),
        alone(`submit at idle, ${options.postgres} Postgres, p99`, "ms", [
          percentile(
            rounds.map((one) => one.value),
            0.99,
          ),
        ]),
      ],
      details: {},
    };
  } finally {
    client.close();
    await connection.close();
    await up.stop();
  }
}

async function msOf(run: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await run();
  return performance.now() - began;
}
