import { submitLoad } from "../../support/submitLoad.ts";
import { waitFor } from "../../support/waitFor.ts";
import type { Fault } from "../fault.ts";
import type { ChaosGround } from "../ground/chaosGround.ts";
import { commonGround } from "../ground/commonGround.ts";
import { type DeathPoint, deathPoints, type EngineGate } from "../ground/engineGate.ts";

/** No retry is allowed: a second start of the same task would be a second side effect. */
const spec = {
  image: "cazi/toolbox:latest",
  command: ["sh", "-c", "echo ran; sleep 0.5"],
  timeout_seconds: 60,
  selector: { node: "c" },
};
const part = "node:c";

/** The agent of the only node is killed at one step of a container's life, and another takes its place. */
export const agentDies: readonly Fault[] = deathPoints.map((point) => ({
  name: `node agent killed ${point}`,
  about: "The agent is killed at that very step; the next one finds what is there and reports what is true.",
  ground: commonGround,
  lane: "containers",
  short: { times: 1, tasks: 1 },
  long: { times: 4, tasks: 4 },
  defaults: { times: 1, tasks: 1 },
  run: async (ground, plan) => {
    const gate = ground.engine;
    if (gate === null) throw new Error("there is no gate before an engine here");
    const ids: string[] = [];
    for (let index = 0; index < plan.times; index++) ids.push(await dieOnce(ground, gate, point));
    return { ids, faults: plan.times, longestGapMs: null };
  },
}));

async function dieOnce(ground: ChaosGround, gate: EngineGate, point: DeathPoint): Promise<string> {
  let isSprung = false;
  const { endMs } = ground.times;
  void gate.trap(point).then(() => {
    isSprung = true;
  });
  // What is done beside it may keep the API from taking it for a moment.
  const { ids } = await submitLoad(ground.api, { count: 1, atOnce: 1, spec: () => spec });
  const id = ids[0]!;
  await waitFor(`its agent to be ${point}`, () => isSprung, { deadlineMs: endMs, pollMs: 5 });
  if (point === "after exit") {
    await waitFor(
      "the container to exit",
      async () => (await ground.fleet.containers.ofTask(id))?.State === "exited",
      { deadlineMs: 30_000, pollMs: 50 },
    );
  }
  await ground.kill(part);
  gate.open();
  await ground.start(part);
  await ground.api.ended(id, endMs);
  return id;
}
