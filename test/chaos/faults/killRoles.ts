import type { Fault } from "../fault.ts";
import { commonGround } from "../ground/commonGround.ts";
import { underLoad } from "./underLoad.ts";

/** So many at once: what they have to take up again meets what another one left half done. */
const AT_ONCE = 3;

/** Every role is killed in turn and another one put in its place. */
export const killRoles: Fault = {
  name: "kill -9 of a role",
  about: "Each role in turn is killed under load beside others, and new processes take their place.",
  ground: commonGround,
  short: { times: 3, tasks: 300 },
  long: { times: 4, tasks: 500 },
  defaults: { times: 3, tasks: 300 },
  run: async (ground, plan, random) => {
    const { parts } = ground;
    const done = await underLoad(ground, { ...plan, pauseMs: 200 }, random, async (index) => {
      const first = (index * AT_ONCE) % parts.length;
      await Promise.all(parts.slice(first, first + AT_ONCE).map((part) => ground.replace(part)));
    });
    return { ...done, faults: done.faults * AT_ONCE };
  },
};
