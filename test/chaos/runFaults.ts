/** Runs faults one after the other, those of one ground on the same ground, and checks each at once. */
import { seededRandom } from "../support/seededRandom.ts";
import type { Fault, FaultDone, FaultOutcome, FaultPlan } from "./fault.ts";
import { type ChaosGround, openChaosGround, type RunOptions } from "./ground/chaosGround.ts";
import { checkOutcomes } from "./ground/checkOutcome.ts";

export interface FaultRun {
  readonly fault: Fault;
  readonly outcome: FaultOutcome;
  readonly seconds: number;
}

export interface PlannedFault {
  readonly fault: Fault;
  readonly plan: FaultPlan;
}

/** Those that have lanes and stand on one ground are made to happen at once: most of them wait most of the time. */
export function inGroups(all: readonly PlannedFault[]): readonly (readonly PlannedFault[])[] {
  const groups: PlannedFault[][] = [];
  for (const one of all) {
    const last = groups.at(-1)?.[0]?.fault;
    const isBeside =
      one.fault.lane !== undefined && last?.lane !== undefined && last.ground === one.fault.ground;
    if (isBeside) groups.at(-1)!.push(one);
    else groups.push([one]);
  }
  return groups;
}

/** The whole ledger is read for each check: with more in it the next fault begins on an empty one. */
const tasksOnOneGround = 5_000;

/** Keeps a ground from one fault to the next where they stand on the same. */
export class FaultRunner {
  readonly #seed: number;
  readonly #options: RunOptions;
  #ground: ChaosGround | null = null;
  #of = "";

  /** @param seed of all that is done by chance */
  constructor(seed: number, options: RunOptions = { defaults: false }) {
    this.#seed = seed;
    this.#options = options;
  }

  /** Faults of one ground at once, those of one lane after each other. @returns in the order in which they were given */
  async runBeside(all: readonly PlannedFault[]): Promise<readonly FaultRun[]> {
    const started = performance.now();
    const ground = await this.#groundOf(all[0]!.fault);
    const done = new Map<Fault, FaultDone>();
    const lanes = new Map<string, PlannedFault[]>();
    for (const one of all) {
      const lane = one.fault.lane ?? one.fault.name;
      lanes.set(lane, [...(lanes.get(lane) ?? []), one]);
    }
    await Promise.all(
      [...lanes.values()].map(async (lane) => {
        for (const { fault, plan } of lane)
          done.set(fault, await fault.run(ground, plan, seededRandom(this.#seed)));
      }),
    );
    await ground.ready();
    const outcomes = await checkOutcomes(
      ground,
      all.map(({ fault }) => done.get(fault)!),
    );
    const seconds = Math.round((performance.now() - started) / 1000);
    return all.map(({ fault }, index) => ({ fault, outcome: outcomes[index]!, seconds }));
  }

  async stop(): Promise<void> {
    const ground = this.#ground;
    this.#ground = null;
    await ground?.stop();
  }

  async #groundOf(fault: Fault): Promise<ChaosGround> {
    const wanted = JSON.stringify(fault.ground);
    const fits = this.#of === wanted && (this.#ground?.acknowledged.size ?? 0) < tasksOnOneGround;
    if (this.#ground !== null && fits) return this.#ground;
    await this.stop();
    this.#ground = await openChaosGround(fault.ground, this.#options);
    this.#of = wanted;
    return this.#ground;
  }
}
