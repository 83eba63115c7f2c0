/** `npm run chaos`: every kind of fault many times, and a table of what came of it. */
import { parseArgs } from "node:util";
import { losses } from "./fault.ts";
import { faults } from "./faults/faultTable.ts";
import { removeAbandonedNetworks } from "./ground/clusterNetwork.ts";
import { type ClusterServer, clusterServer } from "./ground/clusterServer.ts";
import { type FaultRun, FaultRunner, inGroups } from "./runFaults.ts";

const usage = `npm run chaos -- [words of a fault's name …] [options]

Without words, every fault, about half an hour on two idle cores. Exits with 1 when anything was lost, doubled, stuck,
illegal, orphaned, wrong, misread or cut, and when a fault could not be run to its end. After a Ctrl-C the table tells of
what was done until then.
  --short      as few as \`npm test\` does, and what it does elsewhere left out
  --defaults   with the times that a user gets who sets none; the faults that wait for them
  --times N    how often each fault happens, instead of its own number
  --tasks N    tasks under way meanwhile; --times 50 --tasks 30000 is for a night
  --nats-server FILE
               that clusters are made of; else the one that is installed, and where that is older than 2.10 that of a later
               Debian, which is fetched (\`--short\` takes what is installed)
  --seed N     of all that is done by chance; printed, so that a run can be repeated
  --list       the faults, and nothing is run`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: "boolean", default: false },
    list: { type: "boolean", default: false },
    short: { type: "boolean", default: false },
    defaults: { type: "boolean", default: false },
    times: { type: "string" },
    tasks: { type: "string" },
    "nats-server": { type: "string" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
  },
});

const named = faults.filter(({ name }) => positionals.every((word) => name.includes(word)));
const chosen = named.flatMap((fault) => {
  const plan = values.short ? fault.short : values.defaults ? fault.defaults : fault.long;
  return plan ? [{ fault, plan }] : [];
});
if (values.help) console.log(usage);
else if (values.list) for (const { fault } of chosen) console.log(`${fault.name}: ${fault.about}`);
else process.exitCode = await runAll();

async function runAll(): Promise<number> {
  const seed = Number(values.seed);
  console.log(`seed ${seed}`);
  removeAbandonedNetworks();
  const server = await serverOfClusters();
  const runner = new FaultRunner(seed, {
    defaults: values.defaults,
    ...(server === null ? {} : { clusterServer: server.program }),
  });
  const runs: FaultRun[] = [];
  const failed: string[] = [];
  const interrupted = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      interrupted.abort();
      // What is under way has nothing left to stand on, and fails.
      void runner.stop();
    });
  }
  const planned = chosen.map(({ fault, plan }) => ({
    fault,
    plan: { times: Number(values.times ?? plan.times), tasks: Number(values.tasks ?? plan.tasks) },
  }));
  for (const group of values.short ? inGroups(planned) : planned.map((one) => [one])) {
    const names = group.map(({ fault }) => fault.name).join(", ");
    try {
      const done = await runner.runBeside(group);
      runs.push(...done);
      for (const run of done)
        console.error(`${run.fault.name}: ${JSON.stringify(run.outcome)} in ${run.seconds} s`);
    } catch (error) {
      if (interrupted.signal.aborted) break;
      failed.push(names);
      console.error(`${names} was not run to its end:`, error);
      // On what it left behind nothing else is tried.
      await runner.stop();
    }
  }
  await runner.stop();
  console.log(tableOf(runs));
  for (const name of failed) console.log(`not run to its end: ${name}`);
  const isGood = runs.every(({ outcome }) => Object.values(losses(outcome)).every((count) => count === 0));
  return isGood && failed.length === 0 && !interrupted.signal.aborted ? 0 : 1;
}

async function serverOfClusters(): Promise<ClusterServer | null> {
  if (!chosen.some(({ fault }) => fault.ground.nats === "cluster")) return null;
  if (values.short && values["nats-server"] === undefined) return null;
  const server = await clusterServer(values["nats-server"]);
  console.log(`nats-server ${server.version} in clusters`);
  return server;
}

function tableOf(runs: readonly FaultRun[]): string {
  const head = [
    "fault",
    "times",
    "acknowledged",
    "lost",
    "doubled",
    "stuck",
    "illegal",
    "orphans",
    "wrong rows",
    "misread",
    "cut",
    "repairs",
    "longest gap",
    "seconds",
  ];
  const rows = runs.map(({ fault, outcome, seconds }) => [
    fault.name,
    outcome.faults,
    outcome.acknowledged,
    ...Object.values(losses(outcome)),
    outcome.repairs ?? "",
    outcome.longestGapMs === null ? "" : `${outcome.longestGapMs} ms`,
    seconds,
  ]);
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
