import type { Fault } from "../fault.ts";
import { openMessageGate } from "../ground/messageGate.ts";
import { underLoad } from "./underLoad.ts";

/** What says and asks things to and of others. The relay writes for those outside. */
const parties = ["control-plane", "scheduler", "reactor", "node:a", "node:b"];
const lateMs = 300;
/** Long after what it is a copy of was answered, often after its attempt is over. */
const copyLateMs = 2_000;

/**
 * Claims, grants, beats, reports, appends and acknowledgements: each comes up to a third of a second late, so that they
 * overtake each other, and every fourth one comes again, behind, between or before the others of its task.
 */
export const disturbMessages: Fault = {
  name: "every internal message late, out of order and doubled",
  about: "Between roles and NATS each message is held back by chance, and some come a second time.",
  ground: { nats: "single", nodes: ["a", "b"], runtime: "noop" },
  short: { times: 1, tasks: 300 },
  long: { times: 10, tasks: 20_000 },
  run: async (ground, plan, random) => {
    const gate = await openMessageGate(ground.nats.url);
    ground.onStop(() => gate.close());
    const through = { NATS_URL: gate.url };
    await Promise.all(parties.map((part) => ground.replace(part, through)));
    await ground.ready();
    gate.disturb({ lateMs, copyLateMs, doubled: 0.25, random });
    const done = await underLoad(ground, { ...plan, pauseMs: 2_000 }, random, async () => undefined);
    const { doubled, overtaken } = gate.counts();
    gate.disturb(null);
    if (doubled < plan.tasks || overtaken < plan.tasks) throw new Error("hardly any message was disturbed");
    return { ...done, faults: doubled + overtaken };
  },
};
