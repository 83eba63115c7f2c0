import { setTimeout as pause } from "node:timers/promises";
import type { Fault } from "../fault.ts";
import { underLoad } from "./underLoad.ts";

const ground = { nats: "cluster", nodes: ["a", "b"], runtime: "noop" } as const;
/** Between two faults the server that was away has to be current again, or the third one is two at once. */
const recoveryMs = 6_000;

/** The server that leads the ledger dies. */
export const killLeader: Fault = {
  name: "kill -9 of the ledger's leader",
  about: "Of three NATS servers, the one that leads the ledger is killed under load, and comes back.",
  ground,
  short: { times: 1, tasks: 300 },
  long: { times: 50, tasks: 30_000 },
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
  long: { times: 50, tasks: 30_000 },
  run: (on, plan, random) =>
    underLoad(on, { ...plan, pauseMs: 500 }, random, async () => {
      await on.nats.cutLeaderOff!(8_000);
      await pause(recoveryMs);
    }),
};

/** The server that leads the ledger stands still, and goes on as if nothing had been. */
export const stopLeader: Fault = {
  name: "SIGSTOP of the ledger's leader",
  about: "Of three NATS servers, the one that leads the ledger stands still for six seconds under load.",
  ground,
  short: null,
  long: { times: 50, tasks: 30_000 },
  run: (on, plan, random) =>
    underLoad(on, { ...plan, pauseMs: 500 }, random, async () => {
      await on.nats.stopLeader!(6_000);
      await pause(recoveryMs);
    }),
};
