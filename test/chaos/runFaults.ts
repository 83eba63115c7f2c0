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

/** The whole ledger is read for each check: with more in it the next fault begins on an empty one. */
const tasksOnOneGround = 5_000;

/** Keeps a ground from one fault to the next where they stand on the same. */
export class FaultRunner {
  readonly #seed: number;
  readonly #defaults: boolean;
  #ground: ChaosGround | null = null;
  #of = "";

  /**
   * @param seed of all that is done by chance
   * @param defaults with the times that a user gets who sets none
   */
  constructor(seed: number, defaults = false) {
    this.#seed = seed;
    this.#defaults = defaults;
  }

  async run(fault: Fault, plan: FaultPlan): Promise<FaultRun> {
    const started = performance.now();
    const ground = await this.#groundOf(fault);
    const done = await fault.run(ground, plan, seededRandom(this.#seed));
    await ground.ready();
    const outcome = await checkOutcome(ground, done);
    return { fault, outcome, seconds: Math.round((performance.now() - started) / 1000) };
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
    this.#ground = await openChaosGround(fault.ground, this.#defaults);
    this.#of = wanted;
    return this.#ground;
  }
}
