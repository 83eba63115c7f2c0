/** `npm run bench`: runs the benches that were asked for, prints a table and writes the figures. */
import { writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { projectRoot } from "../../services/kernel/projectRoot.ts";
import { hasNativePostgres } from "../support/nativePostgres.ts";
import type { PostgresKind } from "../support/withPostgres.ts";
import { benchCancel } from "./cancel/benchCancel.ts";
import { benchCompartment } from "./compartment/benchCompartment.ts";
import { benchErasure } from "./erasure/benchErasure.ts";
import type { BenchResult, Figure } from "./figures.ts";
import { benchHistory } from "./history/benchHistory.ts";
import { benchIdle } from "./idle/benchIdle.ts";
import { benchStart } from "./idle/benchStart.ts";
import { benchSubmit } from "./idle/benchSubmit.ts";
import { benchLatency } from "./latency/benchLatency.ts";
import { benchLogs } from "./logs/benchLogs.ts";
import { machineFacts } from "./machine.ts";
import { benchPeers } from "./peers/benchPeers.ts";
import { benchRebuild } from "./rebuild/benchRebuild.ts";
import { benchRowSecurity } from "./rowSecurity/benchRowSecurity.ts";
import { benchScheduling } from "./scheduling/benchScheduling.ts";
import { benchSubmitRate } from "./submitRate/benchSubmitRate.ts";
import { cleanUpAll } from "./system/onInterrupt.ts";
import { machineLine, table } from "./table.ts";
import { benchThroughput } from "./throughput/benchThroughput.ts";

const usage = `npm run bench -- [latency] [cancel] [throughput] [idle] [submit] [submit-rate] [start] [logs] [rebuild] [erasure] [history] [scheduling] [row-security] [compartment] [peers] [options]

Without a name, all but peers. Each takes minutes; nothing of a running Cazi is touched.
  --out FILE         where the figures go as JSON (test/bench/last.json)
  --postgres KIND    embedded or native; both unless given
  --rounds N         rounds of throughput (5), of 8 containers at once (5)
  --tasks N          no-op tasks a round (2000)
  --pairs N          containers one at a time (30)
  --cancel-pairs N   containers that are cancelled, of each kind (10)
  --idle-pairs N     no-op tasks one at a time (150)
  --containers N     containers a round, 8 at once (40)
  --jobs N           jobs of each peer (2000), --peer-idle N single ones (50), --peer-rounds N times (2)
  --rebuild-tasks N  tasks of five events that are rebuilt, or written by row-security (5000)
  --erased-tasks N   tasks whose ttl has passed, erased at once (2000)
  --finished-tasks N tasks in the ledger of history (20000)
  --nodes N          nodes of the scheduling pass (1000), with --pending N tasks that wait (10000)
  --rate N           submits a second of submit-rate (200), for --rate-seconds N (10), --rate-rounds N times (3)
  --log-mib N        output of lines of 64 bytes, in MiB (256), --log-rounds N times (3)
  --short-lines N    lines of 2 bytes (8000000)
  --agent-runs N     generated programs in one process of compartment (10000), --agent-rounds N of the rest (5)
  --slots N          attempts at once on the no-op node (512)
  --set NAME=VALUE   a setting of the system under test, e.g. CAZI_ACK=published; may be repeated
  --cpu-prof FOLDER  a CPU profile of the system under load (throughput, idle)`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: "boolean", default: false },
    out: { type: "string", default: join(projectRoot, "test/bench/last.json") },
    postgres: { type: "string" },
    rounds: { type: "string", default: "5" },
    tasks: { type: "string", default: "2000" },
    pairs: { type: "string", default: "30" },
    "cancel-pairs": { type: "string", default: "10" },
    "idle-pairs": { type: "string", default: "150" },
    containers: { type: "string", default: "40" },
    jobs: { type: "string", default: "2000" },
    "peer-rounds": { type: "string", default: "2" },
    "peer-idle": { type: "string", default: "50" },
    "rebuild-tasks": { type: "string", default: "5000" },
    "erased-tasks": { type: "string", default: "2000" },
    "finished-tasks": { type: "string", default: "20000" },
    nodes: { type: "string", default: "1000" },
    pending: { type: "string", default: "10000" },
    rate: { type: "string", default: "200" },
    "rate-rounds": { type: "string", default: "3" },
    "rate-seconds": { type: "string", default: "10" },
    "log-rounds": { type: "string", default: "3" },
    "log-mib": { type: "string", default: "256" },
    "short-lines": { type: "string", default: "8000000" },
    "agent-runs": { type: "string", default: "10000" },
    "agent-rounds": { type: "string", default: "5" },
    slots: { type: "string", default: "512" },
    set: { type: "string", multiple: true, default: [] },
    "cpu-prof": { type: "string" },
  },
});

const rounds = Number(values.rounds);
const settings = Object.fromEntries(values.set.map((pair) => pair.split(/=(.*)/s).slice(0, 2)));
const kinds = kindsOf(values.postgres);
const profiling = values["cpu-prof"] ? ["--cpu-prof", `--cpu-prof-dir=${resolve(values["cpu-prof"])}`] : [];

const benches: Record<string, () => Promise<BenchResult>> = {
  latency: () =>
    benchLatency({
      postgres: "embedded",
      pairs: Number(values.pairs),
      rounds,
      perRound: Number(values.containers),
      dockerHost: process.env.DOCKER_HOST ?? "",
      settings,
    }),
  cancel: () =>
    benchCancel({
      pairs: Number(values["cancel-pairs"]),
      dockerHost: process.env.DOCKER_HOST ?? "",
      settings,
    }),
  throughput: () =>
    eachKind((postgres) =>
      benchThroughput({
        postgres,
        rounds,
        tasks: Number(values.tasks),
        inFlight: 256,
        slots: Number(values.slots),
        settings,
        program: null,
        nodeArgs: profiling,
      }),
    ),
  idle: () =>
    eachKind((postgres) =>
      benchIdle({
        postgres,
        pairs: Number(values["idle-pairs"]),
        settings,
        program: null,
        nodeArgs: profiling,
      }),
    ),
  submit: () => eachKind((postgres) => benchSubmit({ postgres, submits: 100, settings })),
  "submit-rate": () =>
    eachKind((postgres) =>
      benchSubmitRate({
        postgres,
        rounds: Number(values["rate-rounds"]),
        perSecond: Number(values.rate),
        seconds: Number(values["rate-seconds"]),
        settings,
      }),
    ),
  start: () => benchStart({ starts: 5, helps: 15 }),
  "row-security": () =>
    eachKind((postgres) => benchRowSecurity({ postgres, rounds, tasks: Number(values["rebuild-tasks"]) })),
  erasure: () =>
    eachKind((postgres) => benchErasure({ postgres, rounds: 2, tasks: Number(values["erased-tasks"]) })),
  history: () => benchHistory({ rounds: 3, tasks: Number(values["finished-tasks"]) }),
  rebuild: () =>
    eachKind((postgres) => benchRebuild({ postgres, rounds, tasks: Number(values["rebuild-tasks"]) })),
  scheduling: async () =>
    benchScheduling({
      rounds,
      nodes: Number(values.nodes),
      pending: Number(values.pending),
      passes: 100,
    }),
  compartment: () =>
    benchCompartment({ rounds: Number(values["agent-rounds"]), runs: Number(values["agent-runs"]) }),
  logs: () =>
    benchLogs({
      rounds: Number(values["log-rounds"]),
      mebibytes: Number(values["log-mib"]),
      shortLines: Number(values["short-lines"]),
      settings,
    }),
};

/** Only when asked for by name: they install what nothing else needs. */
const named: typeof benches = {
  peers: () =>
    benchPeers({
      rounds: Number(values["peer-rounds"]),
      jobs: Number(values.jobs),
      idle: Number(values["peer-idle"]),
      settings,
    }),
};

const unknown = positionals.find((name) => !(name in benches || name in named));
if (values.help || unknown !== undefined) {
  process.stdout.write(`${usage}\n`);
  process.exitCode = values.help ? 0 : 2;
} else {
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => void cleanUpAll().finally(() => process.exit(130)));
  }
  await run(positionals.length > 0 ? positionals : Object.keys(benches));
}

async function run(names: readonly string[]): Promise<void> {
  const machine = machineFacts();
  process.stdout.write(`${machineLine(machine)}\n`);
  const figures: Figure[] = [];
  const details: Record<string, unknown> = {};
  for (const name of names) {
    const began = performance.now();
    const result = await (benches[name] ?? named[name])!();
    figures.push(...result.figures);
    Object.assign(details, result.details);
    const seconds = Math.round((performance.now() - began) / 1000);
    process.stdout.write(
      `\n${name}, ${seconds} s, load now ${loadavg()[0]!.toFixed(1)}\n${table(result.figures)}\n`,
    );
    for (const [key, value] of Object.entries(result.details))
      process.stdout.write(`${key}: ${JSON.stringify(value, shortNumbers)}\n`);
    writeFileSync(values.out, `${JSON.stringify({ machine, figures, details }, null, 2)}\n`);
  }
  process.stdout.write(`\nfigures: ${values.out}\n`);
}

function kindsOf(asked: string | undefined): readonly PostgresKind[] {
  if (asked === "embedded" || asked === "native") return [asked];
  return hasNativePostgres ? ["native", "embedded"] : ["embedded"];
}

async function eachKind(bench: (kind: PostgresKind) => Promise<BenchResult>): Promise<BenchResult> {
  const results: BenchResult[] = [];
  for (const kind of kinds) results.push(await bench(kind));
  return {
    figures: results.flatMap((one) => one.figures),
    details: Object.assign({}, ...results.map((one) => one.details)),
  };
}

function shortNumbers(_key: string, value: unknown): unknown {
  return typeof value === "number" ? Number(value.toPrecision(4)) : value;
}
