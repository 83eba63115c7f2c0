import { setTimeout as pause } from "node:timers/promises";
import type { Fault } from "../fault.ts";
import { commonGround } from "../ground/commonGround.ts";
import { underLoad } from "./underLoad.ts";

// In `npm test` both are killed under the whole product: `test/e2e/faults.e2e.test.ts`.

/** The one NATS server dies and comes back on its data. */
export const killNats: Fault = {
  name: "kill -9 of NATS",
  about: "The NATS server is killed under load and started again on its data.",
  ground: commonGround,
  short: null,
  long: { times: 12, tasks: 1_000 },
  run: (on, plan, random) =>
    underLoad(on, { ...plan, pauseMs: 450 }, random, async () => {
      await on.nats.killOne();
    }),
};

/** Postgres dies and comes back on its data. */
export const killPostgres: Fault = {
  name: "kill -9 of Postgres",
  about: "Postgres is killed under load and started again on its data.",
  ground: commonGround,
  short: null,
  long: { times: 8, tasks: 1_000 },
  run: (on, plan, random) =>
    underLoad(on, { ...plan, pauseMs: 600 }, random, async () => {
      await on.postgres.kill();
      await pause(100);
      await on.postgres.restart();
    }),
};
