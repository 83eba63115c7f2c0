/**
 * A tick in a process that ends itself with SIGKILL after a given number of things that reached the disk. The number
 * comes on standard input, so that the process can be started ahead.
 */
import { once } from "node:events";
import { systemClock } from "../../kernel/clock.ts";
import { createGuestPool } from "../engine/guestPool.ts";
import { tickJob } from "../jobs/tickJob.ts";
import { systemNetwork } from "../network/networkPort.ts";

const folder = process.argv[2]!;
const guests = createGuestPool({ ahead: 0 });
guests.warm(64);
const [count] = (await once(process.stdin, "data")) as [Buffer];
let left = Number(count.toString());
const { manifest } = await tickJob(
  {
    clock: systemClock,
    guests,
    tools: { network: systemNetwork, credential: () => "", taskRunner: null },
    secretsOf: () => [],
    onEvent: () => {},
    stepDone: () => {
      if (--left === 0) process.kill(process.pid, "SIGKILL");
    },
  },
  folder,
);
process.stdout.write(manifest.status);
