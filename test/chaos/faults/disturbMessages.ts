import type { Fault } from "../fault.ts";
import { commonGround } from "../ground/commonGround.ts";
import { underLoad } from "./underLoad.ts";

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
  ground: commonGround,
  short: { times: 1, tasks: 300 },
  long: { times: 2, tasks: 1_000 },
  run: async (ground, plan, random) => {
    const gate = ground.messages;
    if (gate === null) throw new Error("there is no gate for messages here");
    gate.disturb({ lateMs, copyLateMs, doubled: 0.25, random });
    const done = await underLoad(ground, { ...plan, pauseMs: 2_000 }, random, async () => undefined);
    const { doubled, overtaken } = gate.counts();
    gate.disturb(null);
    if (doubled < plan.tasks || overtaken < plan.tasks) throw new Error("hardly any message was disturbed");
    return { ...done, faults: doubled + overtaken };
  },
};
