/** Each kind of fault once or a few times, on real processes and servers; `npm run chaos` does them many times. */
import { afterAll, describe, expect, it } from "vitest";
import { testSeed } from "../support/seededRandom.ts";
import { losses } from "./fault.ts";
import { faults } from "./faults/faultTable.ts";
import { type FaultRun, FaultRunner, inGroups, type PlannedFault } from "./runFaults.ts";

const runner = new FaultRunner(testSeed);
console.info(`TEST_SEED=${testSeed}`);
afterAll(() => runner.stop());

const nothing = { lost: 0, doubled: 0, stuck: 0, illegal: 0, orphans: 0, wrongRows: 0, misread: 0, cut: 0 };

describe("nothing acknowledged is lost or doubled, nothing is left behind, and the read models are true, after", () => {
  const short = faults.flatMap((fault) => (fault.short === null ? [] : [{ fault, plan: fault.short }]));
  const groups = inGroups(short);
  const running = new Map<readonly PlannedFault[], Promise<readonly FaultRun[]>>();
  it.each(short.map((one) => [one.fault.name, one] as const))("%s", async (_name, one) => {
    const group = groups.find((all) => all.includes(one))!;
    const runs = running.get(group) ?? runner.runBeside(group);
    running.set(group, runs);
    const { outcome } = (await runs)[group.indexOf(one)]!;
    expect(losses(outcome)).toEqual(nothing);
    expect(outcome.faults).toBeGreaterThanOrEqual(one.plan.times);
    expect(outcome.acknowledged).toBeGreaterThanOrEqual(one.plan.tasks);
  });
});
