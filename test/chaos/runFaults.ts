/** Runs faults one after the other, those of one ground on the same ground, and checks each at once. */
import { seededRandom } from "../support/seededRandom.ts";
import type { Fault, FaultOutcome, FaultPlan } from "./fault.ts";
import { type ChaosGround, openChaosGround } from "./ground/chaosGround.ts";
import { checkOutcome } from "./ground/checkOutcome.ts";

export interface FaultRun {
  readonly fault: Fault;
  readonly outcome: FaultOutcome;
  readonly seconds: number;
}

/** Time that tasks have to end after the fault: a retry's back-off grows to minutes when faults follow each other. */
const endMs = 180_000;

/** Keeps a ground from one fault to the next where they stand on the same. */
export class FaultRunner {
  readonly #seed: number;
  #ground: ChaosGround | null = null;
  #of = "";

  /** @param seed of all that is done by chance */
  constructor(seed: number) {
    this.#seed = seed;
  }

  async run(fault: Fault, plan: FaultPlan): Promise<FaultRun> {
    const started = performance.now();
    const ground = await this.#groundOf(fault);
    const done = await fault.run(ground, plan, seededRandom(this.#seed));
    await ground.ready();
    const outcome = await checkOutcome(ground, done, endMs);
    return { fault, outcome, seconds: Math.round((performance.now() - started) / 1000) };
  }

  async stop(): Promise<void> {
    await this.#ground?.stop();
    this.#ground = null;
  }

  async #groundOf(fault: Fault): Promise<ChaosGround> {
    const wanted = JSON.stringify(fault.ground);
    if (this.#ground !== null && this.#of === wanted) return this.#ground;
    await this.stop();
    this.#ground = await openChaosGround(fault.ground);
    this.#of = wanted;
    return this.#ground;
  }
}
