import type { Fault } from "../fault.ts";
import { underLoad } from "./underLoad.ts";

/** Every role is killed in turn and another one put in its place. */
export const killRoles: Fault = {
  name: "kill -9 of a role",
  about: "Each role in turn is killed under load, and a new process takes its place.",
  ground: { nats: "single", nodes: ["a", "b"], runtime: "noop" },
  short: { times: 7, tasks: 300 },
  long: { times: 100, tasks: 20_000 },
  run: (ground, plan, random) =>
    underLoad(ground, { ...plan, pauseMs: 200 }, random, async (index) => {
      await ground.replace(ground.parts[index % ground.parts.length]!);
    }),
};
