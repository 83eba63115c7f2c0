import { setTimeout as pause } from "node:timers/promises";
import { processTree } from "../../support/processTree.ts";
import type { Fault } from "../fault.ts";
import type { ChaosGround } from "../ground/chaosGround.ts";
import { commonGround } from "../ground/commonGround.ts";
import { underLoad } from "./underLoad.ts";

/** Beyond the time at which its attempts are lost, or its lease is: another has them then. */
const beyondMs = 2_000;

/** A node agent stands still beyond its lease, and wakes up believing that it still has its attempts. */
export const stopNode: Fault = {
  name: "SIGSTOP of a node past its lease",
  about:
    "A node agent stands still until its attempts are lost and run elsewhere; then it wakes and reports.",
  ground: commonGround,
  lane: "node",
  short: { times: 1, tasks: 100 },
  long: { times: 5, tasks: 500 },
  defaults: { times: 1, tasks: 200 },
  run: (ground, plan, random) =>
    underLoad(ground, { ...plan, pauseMs: 100 }, random, async () => {
      signal(ground, "node:a", "SIGSTOP");
      await pause(ground.times.lostMs + beyondMs);
      signal(ground, "node:a", "SIGCONT");
    }),
};

const holders = ["scheduler", "reactor", "projector", "relay"];

/** A holder of a lease stands still past it: another takes over, and the first wakes in the middle of a step. */
export const stopLeaseHolder: Fault = {
  name: "SIGSTOP of lease holders",
  about: "Scheduler, reactor, projector and relay stand still past their lease beside a second of each.",
  ground: commonGround,
  lane: "holders",
  short: { times: 1, tasks: 100 },
  long: { times: 3, tasks: 500 },
  defaults: { times: 1, tasks: 200 },
  run: async (ground, plan, random) => {
    const done = await underLoad(ground, { ...plan, pauseMs: 100 }, random, async () => {
      // `start` keeps the newest process of a part: the first goes on beside it and is the one that is stopped.
      const first = holders.map((part) => ground.process(part));
      const stopped = first.flatMap(({ program }) => processTree(program.pid));
      for (const { pid } of stopped) process.kill(pid, "SIGSTOP");
      await Promise.all(holders.map((part) => ground.start(part)));
      await pause(ground.times.leaseMs + beyondMs / 2);
      for (const { pid } of stopped) process.kill(pid, "SIGCONT");
      await pause(1_000);
      await Promise.all(first.map((one) => one.kill()));
    });
    return { ...done, faults: done.faults * holders.length };
  },
};

function signal(ground: ChaosGround, part: string, name: "SIGSTOP" | "SIGCONT"): void {
  for (const { pid } of processTree(ground.process(part).program.pid)) process.kill(pid, name);
}
