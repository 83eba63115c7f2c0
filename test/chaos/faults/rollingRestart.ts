import type { Fault } from "../fault.ts";
import { underLoad } from "./underLoad.ts";

/** A new version is brought in: beside each process a new one starts, then the old one is asked to end. */
export const rollingRestart: Fault = {
  name: "rolling restart of every role",
  about: "Beside each role's process a second one starts under load; then the first is ended with SIGTERM.",
  ground: { nats: "single", nodes: ["a", "b"], runtime: "noop" },
  short: { times: 4, tasks: 300 },
  long: { times: 70, tasks: 20_000 },
  run: (ground, plan, random) =>
    underLoad(ground, { ...plan, pauseMs: 150 }, random, async (index) => {
      const part = ground.parts[index % ground.parts.length]!;
      const before = ground.process(part);
      // Two APIs of one fleet have addresses of their own, and a node's name is one process's: those two go first.
      const isAlone = part === "control-plane" || part.startsWith("node:");
      if (!isAlone) await ground.start(part);
      before.program.child.kill("SIGTERM");
      await before.program.done;
      if (isAlone) await ground.start(part);
    }),
};
