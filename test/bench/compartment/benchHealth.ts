/**
 * Thousands of generated programs in one process, through the pool of threads that the product has: each ends as it
 * must with a log that is true, and the process is at the end what it was.
 *
 * The memory is looked at when the process is at rest, after a collection, at the end of windows of equal length. Those of
 * the first ones, in which caches and arenas fill, are left out.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { readAuditLog } from "../../../services/compartment/audit/readAuditLog.ts";
import { createGuestPool, type GuestPool } from "../../../services/compartment/engine/guestPool.ts";
import {
  type GeneratedProgram,
  generatedFault,
  generatedFlags,
  generatedPrograms,
} from "../../../services/compartment/testing/generatedPrograms.ts";
import { alone, type Figure, median } from "../figures.ts";
import { runOnce } from "./runOnce.ts";

/** Runs at the same time, as on a node with two slots. */
const LANES = 2;
const WINDOWS = 20;
/** Of the windows, those in which the process comes to what it keeps. */
const SETTLING = 4;
const MIB = 1024 * 1024;

export interface Health {
  readonly figures: Figure[];
  readonly details: Readonly<Record<string, unknown>>;
}

export async function benchHealth(of: { readonly folder: string; readonly runs: number }): Promise<Health> {
  const guests = createGuestPool({ ahead: LANES });
  const programs = generatedPrograms(of.runs);
  const ends: Record<string, number> = {};
  const faults: string[] = [];
  const began = performance.now();
  const rest: AtRest[] = [];
  for (let window = 0; window < WINDOWS; window++) {
    const end = Math.round(((window + 1) * of.runs) / WINDOWS);
    let left = end - Math.round((window * of.runs) / WINDOWS);
    const lane = async (number: number) => {
      while (left-- > 0) {
        const program = programs.next().value as GeneratedProgram;
        const { reason, fault } = await runGenerated(guests, join(of.folder, `lane-${number}`), program);
        ends[reason ?? "ok"] = (ends[reason ?? "ok"] ?? 0) + 1;
        if (fault !== null) faults.push(`${fault}: ${program.source}`);
      }
    };
    await Promise.all(Array.from({ length: LANES }, (_, number) => lane(number)));
    rest.push(await atRest());
  }
  const seconds = (performance.now() - began) / 1000;
  await guests.close();
  return {
    figures: figuresOf(of.runs, rest.slice(SETTLING), faults.length),
    details: {
      compartment_ends: ends,
      compartment_runs_a_second: of.runs / seconds,
      compartment_faults: faults.slice(0, 5),
      compartment_at_rest: rest,
    },
  };
}

async function runGenerated(guests: GuestPool, folder: string, program: GeneratedProgram) {
  const { outcome, auditLog } = await runOnce(guests, folder, program.source, generatedFlags);
  const reason = "reason" in outcome ? outcome.reason : "unsupported";
  const reading = readAuditLog(readFileSync(auditLog, "utf8"));
  if (reading.state !== "complete") return { reason, fault: `its log is ${reading.state}` };
  return { reason, fault: generatedFault(program, { reason, records: reading.records }) };
}

/** Of this process while only the threads of the pool stand ready in it. */
interface AtRest {
  readonly rss_mib: number;
  readonly heap_mib: number;
  readonly threads: number;
  readonly files: number;
  /** Handles that keep the process alive. */
  readonly handles: number;
}

async function atRest(): Promise<AtRest> {
  await untilThreadsAreDown();
  collectGarbage();
  const { rss, heapUsed } = process.memoryUsage();
  return {
    rss_mib: rss / MIB,
    heap_mib: heapUsed / MIB,
    threads: threadsNow(),
    files: readdirSync("/proc/self/fd").length,
    handles: process.getActiveResourcesInfo().filter((kind) => kind !== "PipeWrap").length,
  };
}

/** Threads go beside what comes next; the fewest that are seen for a while are those that stay. */
async function untilThreadsAreDown(): Promise<void> {
  let [fewest, since] = [Number.POSITIVE_INFINITY, 0];
  while (since++ < 5) {
    await sleep(100);
    if (threadsNow() < fewest) [fewest, since] = [threadsNow(), 0];
  }
}

function threadsNow(): number {
  return readdirSync("/proc/self/task").length;
}

function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
}

function figuresOf(runs: number, rest: readonly AtRest[], faults: number): Figure[] {
  const none = { of: "value", is: "at most", value: 0 } as const;
  const sizes = rest.map(({ rss_mib }) => rss_mib);
  const quarter = Math.ceil(sizes.length / 4);
  const grown = median(sizes.slice(-quarter)) - median(sizes.slice(0, quarter));
  const more = (key: "threads" | "files" | "handles") =>
    median(rest.slice(-quarter).map((one) => one[key])) -
    median(rest.slice(0, quarter).map((one) => one[key]));
  return [
    alone(`generated runs of ${runs} that were not as they must be`, "runs", [faults], none),
    alone("memory at rest after them, over that of the first fifth", "MiB", [grown], {
      of: "value",
      is: "at most",
      value: 16,
    }),
    alone("memory grown over 1,000 of them, by the slope of the windows", "MiB", [
      (slopeOf(sizes) * WINDOWS * 1000) / runs,
    ]),
    alone(
      "threads, open files and handles more than before",
      "",
      [more("threads") + more("files") + more("handles")],
      none,
    ),
  ];
}

/** By least squares, a step of the index. */
function slopeOf(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const [above, below] = values.reduce(
    ([a, b], value, index) => [a + (index - middle) * (value - mean), b + (index - middle) ** 2],
    [0, 0],
  );
  return above / below;
}
