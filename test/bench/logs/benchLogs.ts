import type { JetStreamManager } from "nats";
import { logHeaders } from "../../../schemas/messages/node.ts";
import { subjects } from "../../../streams/subjects.ts";
import { testEngine } from "../../support/withEngine.ts";
import { alone, type BenchResult, compared, median } from "../figures.ts";
import { wallMsOf } from "../idle/ledgerTimes.ts";
import { openBareContainers } from "../latency/bareContainers.ts";
import { type ApiClient, openApiClient } from "../system/apiClient.ts";
import { progress } from "../system/progress.ts";
import { startUp } from "../system/runningUp.ts";
import { connectBeside } from "../throughput/driveTasks.ts";
import { startKeptContainer } from "./keptContainer.ts";
import { type SeparateNode, startSeparateNode } from "./separateNode.ts";

export interface LogsOptions {
  readonly rounds: number;
  /** Of the output of 64-byte lines, in MiB. */
  readonly mebibytes: number;
  /** Lines of two bytes: what costs the engine and the agent most a byte. */
  readonly shortLines: number;
  readonly settings: Readonly<Record<string, string>>;
}

const MiB = 1024 ** 2;
const nodeName = "logs";
const longLine = "a line of sixty-four bytes, its end included, as programs write";
const shortLine = "y";
const memoryMax = 256;
const linesWanted = 1_000_000;

/** Output of one container, stored as it is written, beside `docker logs` of the same; and the agent's memory. */
export async function benchLogs(options: LogsOptions): Promise<BenchResult> {
  const { dockerHost } = await testEngine();
  // The embedded node runs nothing here: the agent that is watched is a process of its own.
  const up = await startUp({
    postgres: "embedded",
    nodeArgs: [],
    program: null,
    settings: { CAZI_NODE_RUNTIME: "noop", ...options.settings },
  });
  const client = openApiClient(up);
  const connection = await connectBeside(up.nats);
  let node: SeparateNode | null = null;
  try {
    const jsm = await connection.jetstreamManager();
    node = await startSeparateNode(up, { name: nodeName, dockerHost });
    await storeOutput(client, jsm, printing(longLine, MiB));
    const long = await longLines(client, jsm, { ...options, dockerHost });
    progress(`${nodeName}: peak ${Math.round(node.peakBytes() / MiB)} MiB after the long lines`);
    const short = await storeOutput(client, jsm, printing(shortLine, options.shortLines * 2));
    const lines = (options.shortLines * 1000) / short;
    return {
      figures: [
        long.figure,
        alone("lines of 2 bytes stored a second", "", [lines], {
          ...{ of: "value", is: "at least" },
          value: linesWanted,
        }),
        alone("node agent's memory, peak of all that", "MiB", [node.peakBytes() / MiB], {
          ...{ of: "value", is: "at most" },
          value: memoryMax,
        }),
      ],
      details: { logs: { ...long.details, short_lines: options.shortLines, short_seconds: short / 1000 } },
    };
  } finally {
    client.close();
    await connection.close();
    await node?.stop();
    await up.stop();
    // The agent removes a container at a beat after its end; the last ones are removed here.
    await (await openBareContainers(dockerHost)).clear(up.instance);
  }
}

async function longLines(
  client: ApiClient,
  jsm: JetStreamManager,
  options: LogsOptions & { readonly dockerHost: string },
) {
  const output = printing(longLine, options.mebibytes * MiB);
  const kept = await startKeptContainer(output.spec, options.dockerHost);
  try {
    const rate = (ms: number) => (options.mebibytes * 1000) / ms;
    progress(`bare attach of ${options.mebibytes} MiB: ${rate(kept.attachedMs).toFixed(0)} MiB/s`);
    const rounds: { value: number; control: number }[] = [];
    for (let i = 0; i < options.rounds; i++) {
      const value = rate(await storeOutput(client, jsm, output));
      const control = rate(await kept.readLog());
      rounds.push({ value, control });
      progress(`round ${i + 1}: stored ${value.toFixed(0)} MiB/s, docker logs ${control.toFixed(0)} MiB/s`);
    }
    return {
      figure: compared({
        name: `output of ${options.mebibytes} MiB in lines of 64 bytes, stored`,
        unit: "MiB/s",
        controlName: "docker logs of the same",
        target: { of: "ratio", is: "at least", value: 0.5 },
        rounds,
      }),
      details: {
        bare_attach_mib_s: rate(kept.attachedMs),
        share_of_bare_attach: median(rounds.map((one) => one.value)) / rate(kept.attachedMs),
      },
    };
  } finally {
    await kept.remove();
  }
}

interface Output {
  readonly spec: string;
  readonly bytes: number;
}

function printing(line: string, bytes: number): Output {
  const spec = {
    image: "cazi/toolbox:latest",
    command: ["sh", "-c", `yes '${line}' | head -c ${bytes}`],
    max_output_bytes: bytes,
    selector: { node: nodeName },
  };
  return { spec: JSON.stringify(spec), bytes };
}

/**
 * Runs a task that prints. @returns milliseconds from the container's start, by the engine's note, to the storing of
 * its last chunk, by the server's. @throws Error when not every byte was stored
 */
async function storeOutput(client: ApiClient, jsm: JetStreamManager, output: Output): Promise<number> {
  const id = await client.submit(output.spec);
  const task = await client.waitForEnd(id);
  if (task.status !== "succeeded") throw new Error(`a task that prints ended as ${task.status}`);
  const subject = subjects.log({ node: nodeName, task: id, attempt: 1, stream: "stdout" });
  const last = await jsm.streams.getMessage("LOGS", { last_by_subj: subject });
  const stored = Number(last.header.get(logHeaders.offset)) + last.data.length;
  if (stored !== output.bytes) throw new Error(`${stored} of ${output.bytes} bytes were stored`);
  return wallMsOf(last.timestamp) - Date.parse(task.started_at);
}
