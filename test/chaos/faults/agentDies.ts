import type { Task } from "../../../schemas/api/task.ts";
import { waitFor } from "../../support/waitFor.ts";
import { testEngine } from "../../support/withEngine.ts";
import type { Fault } from "../fault.ts";
import type { ChaosGround } from "../ground/chaosGround.ts";
import { type DeathPoint, deathPoints, openEngineGate } from "../ground/engineGate.ts";

/** No retry is allowed: a second start of the same task would be a second side effect. */
const spec = {
  image: "cazi/toolbox:latest",
  command: ["sh", "-c", "echo ran; sleep 0.5"],
  timeout_seconds: 60,
};

/** The agent of the only node is killed at one step of a container's life, and another takes its place. */
export const agentDies: readonly Fault[] = deathPoints.map((point) => ({
  name: `node agent killed ${point}`,
  about: "The agent is killed at that very step; the next one finds what is there and reports what is true.",
  ground: { nats: "single", nodes: ["a"], runtime: "docker", env: { CAZI_NODE_SLOTS: "1" } },
  short: { times: 1, tasks: 1 },
  long: { times: 25, tasks: 25 },
  defaults: { times: 1, tasks: 1 },
  run: async (ground, plan) => {
    const gate = await openEngineGate((await testEngine()).dockerHost);
    const ids: string[] = [];
    try {
      await ground.replace("node:a", { DOCKER_HOST: gate.dockerHost });
      for (let index = 0; index < plan.times; index++) ids.push(await dieOnce(ground, gate, point));
    } finally {
      gate.open();
      await ground.replace("node:a");
      gate.close();
    }
    return { ids, faults: plan.times, longestGapMs: null };
  },
}));

async function dieOnce(
  ground: ChaosGround,
  gate: Awaited<ReturnType<typeof openEngineGate>>,
  point: DeathPoint,
): Promise<string> {
  const sprung = gate.trap(point);
  const { body } = await ground.api.request<Task>("POST", "/v1/tasks", { body: spec });
  await sprung;
  if (point === "after exit") {
    await waitFor(
      "the container to exit",
      async () => (await ground.fleet.containers.ofTask(body.id))?.State === "exited",
      { deadlineMs: 30_000, pollMs: 50 },
    );
  }
  await ground.kill("node:a");
  gate.open();
  await ground.start("node:a", { DOCKER_HOST: gate.dockerHost });
  await ground.api.ended(body.id, ground.times.endMs);
  return body.id;
}
