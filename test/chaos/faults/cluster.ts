import { setTimeout as pause } from "node:timers/promises";
import type { Fault, FaultDone, FaultPlan } from "../fault.ts";
import type { ChaosGround } from "../ground/chaosGround.ts";
import { underLoad } from "./underLoad.ts";

const ground = { nats: "cluster", nodes: ["a", "b"], runtime: "noop" } as const;
/** Between two faults the server that was away has to be current again, or the third one is two at once. */
const recoveryMs = 6_000;

/**
 * What the runbook asks of an operator: compare the ledger with its copy, and where they differ repair it and start
 * every role again.
 * @returns whether there was something to repair
 */
async function repairWhereNeeded(on: ChaosGround): Promise<boolean> {
  const deadline = performance.now() + repairMs;
  for (;;) {
    const { exit, stderr } = await on.fleet.run(["ledger", "repair"]);
    const said = stderr.toString();
    if (exit === 0) {
      // Also of one that an earlier try began: a try that only met no server repaired nothing.
      if (!said.includes("events were put back")) return false;
      // Not one after the other: those that wait for the projector would wait for one of before.
      await Promise.all(on.parts.map((part) => on.replace(part)));
      await on.ready();
      return true;
    }
    console.error(`cazi ledger repair ended with ${exit}: ${said}`);
    if (performance.now() > deadline) throw new Error("the ledger was not repaired");
    await pause(1_000);
  }
}

/** On a busy machine servers that were apart take their time to choose a leader. */
const repairMs = 120_000;
/** The product compares its ledger every five seconds; after so many looks without a finding the next fault may come. */
const watchMs = 6_000;
const calmLooks = 2;

async function repairing(
  on: ChaosGround,
  plan: FaultPlan,
  random: () => number,
  fault: () => Promise<void>,
): Promise<FaultDone> {
  let repairs = 0;
  const done = await underLoad(on, { ...plan, pauseMs: 500 }, random, async () => {
    await fault();
    await pause(recoveryMs);
    // The command compares with whichever server it is given: what differs on another is found by a later look.
    for (let looks = 0; looks < calmLooks; looks++) {
      if (await repairWhereNeeded(on)) repairs++;
      await pause(watchMs);
      if ((await on.api.request("GET", "/readyz")).status !== 200) looks = -1;
    }
  });
  return { ...done, repairs };
}

/** The server that leads the ledger dies. */
export const killLeader: Fault = {
  name: "kill -9 of the ledger's leader",
  about: "Of three NATS servers, the one that leads the ledger is killed under load, and comes back.",
  ground,
  short: { times: 1, tasks: 300 },
  long: { times: 4, tasks: 500 },
  run: (on, plan, random) =>
    underLoad(on, { ...plan, pauseMs: 500 }, random, async () => {
      await on.nats.killOne();
      await pause(recoveryMs);
    }),
};

/** The server that leads the ledger is alone for a while: nobody hears it, and it hears nobody. */
export const cutLeaderOff: Fault = {
  name: "the ledger's leader cut off",
  about:
    "Of three NATS servers, the one that leads the ledger loses its network under load, and gets it back.",
  ground,
  short: null,
  long: { times: 4, tasks: 500 },
  run: (on, plan, random) => repairing(on, plan, random, () => on.nats.cutLeaderOff!(8_000)),
};

/** The server that leads the ledger stands still, and goes on as if nothing had been. */
export const stopLeader: Fault = {
  name: "SIGSTOP of the ledger's leader",
  about: "Of three NATS servers, the one that leads the ledger stands still for six seconds under load.",
  ground,
  short: null,
  long: { times: 4, tasks: 500 },
  run: (on, plan, random) => repairing(on, plan, random, () => on.nats.stopLeader!(6_000)),
};
