/** A tick in a process that ends itself with SIGKILL after a given number of things that reached the disk. */
import { systemClock } from "../../kernel/clock.ts";
import { tickJob } from "../jobs/tickJob.ts";

const [folder, count] = process.argv.slice(2);
let left = Number(count);
const { manifest } = await tickJob(
  {
    clock: systemClock,
    secretsOf: () => [],
    onEvent: () => {},
    stepDone: () => {
      if (--left === 0) process.kill(process.pid, "SIGKILL");
    },
  },
  folder!,
);
process.stdout.write(manifest.status);
