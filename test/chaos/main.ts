/** `npm run chaos`: every kind of fault many times, and a table of what came of it. */
import { parseArgs } from "node:util";
import { losses } from "./fault.ts";
import { faults } from "./faults/faultTable.ts";
import { type FaultRun, FaultRunner } from "./runFaults.ts";

const usage = `npm run chaos -- [words of a fault's name …] [options]

Without words, every fault. Exits with 1 when anything was lost, doubled, stuck, illegal, orphaned or wrong.
  --short      as few as \`npm test\` does
  --times N    how often each fault happens, instead of its own number
  --tasks N    tasks under way meanwhile
  --seed N     of all that is done by chance; printed, so that a run can be repeated
  --list       the faults, and nothing is run`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: "boolean", default: false },
    list: { type: "boolean", default: false },
    short: { type: "boolean", default: false },
    times: { type: "string" },
    tasks: { type: "string" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
  },
});

const chosen = faults.filter(({ name }) => positionals.every((word) => name.includes(word)));
if (values.help) console.log(usage);
else if (values.list) for (const { name, about } of chosen) console.log(`${name}: ${about}`);
else process.exitCode = await runAll();

async function runAll(): Promise<number> {
  const seed = Number(values.seed);
  console.log(`seed ${seed}`);
  const runner = new FaultRunner(seed);
  const runs: FaultRun[] = [];
  try {
    for (const fault of chosen) {
      const own = (values.short ? fault.short : null) ?? fault.long;
      const plan = { times: Number(values.times ?? own.times), tasks: Number(values.tasks ?? own.tasks) };
      const run = await runner.run(fault, plan);
      runs.push(run);
      console.error(`${fault.name}: ${JSON.stringify(run.outcome)} in ${run.seconds} s`);
    }
  } finally {
    await runner.stop();
  }
  console.log(tableOf(runs));
  return runs.every(({ outcome }) => Object.values(losses(outcome)).every((count) => count === 0)) ? 0 : 1;
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
    "longest gap",
    "seconds",
  ];
  const rows = runs.map(({ fault, outcome, seconds }) => [
    fault.name,
    outcome.faults,
    outcome.acknowledged,
    ...Object.values(losses(outcome)),
    outcome.longestGapMs === null ? "" : `${outcome.longestGapMs} ms`,
    seconds,
  ]);
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
