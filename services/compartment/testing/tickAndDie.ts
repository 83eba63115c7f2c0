/**
 * A tick in a process that ends itself with SIGKILL right after a given write. Which one comes on standard input as
 * `step write`, so that the process can be started ahead: the write with that number in the step with that number, or
 * the one of the step's answer if that comes earlier.
 */
import { once } from "node:events";
import { join } from "node:path";
import { systemClock } from "../../kernel/clock.ts";
import { createGuestPool } from "../engine/guestPool.ts";
import { tickJob } from "../jobs/tickJob.ts";
import { systemNetwork } from "../network/networkPort.ts";
import { stepOf } from "./stepOf.ts";

/** The manifest and run_start, which every tick writes before its program goes on. */
const WRITES_OF_START = 2;

const folder = process.argv[2]!;
const journal = join(folder, "journal.jsonl");
const guests = createGuestPool({ ahead: 0 });
guests.warm(64);
const [text] = (await once(process.stdin, "data")) as [Buffer];
const [lastStep, lastWrite] = text.toString().split(" ").map(Number) as [number, number];
let [step, writes] = [stepOf(journal), -WRITES_OF_START];
const { manifest } = await tickJob(
  {
    clock: systemClock,
    guests,
    tools: { network: systemNetwork, credential: () => "", taskRunner: null },
    secretsOf: () => [],
    onEvent: () => {},
    stepDone: () => {
      const now = stepOf(journal);
      // The answer's own write is the last one of the step that it ends.
      const ended = now !== step && step === lastStep;
      writes = now === step ? writes + 1 : 0;
      step = now;
      if (ended || (step === lastStep && writes === lastWrite)) process.kill(process.pid, "SIGKILL");
    },
  },
  folder,
);
process.stdout.write(manifest.status);
