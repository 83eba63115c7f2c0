import type { Task } from "../../../schemas/api/task.ts";
import { submitLoad } from "../../support/submitLoad.ts";
import { waitFor } from "../../support/waitFor.ts";
import type { Fault } from "../fault.ts";
import { type ChaosGround, loadTag } from "../ground/chaosGround.ts";
import { commonGround } from "../ground/commonGround.ts";
import { followFeed } from "../ground/followFeed.ts";
import { underLoad } from "./underLoad.ts";

/**
 * A new version is brought in: of two processes of every role one is asked to end and another one started in its place,
 * and then the other. Both APIs are asked through a balancer, and a follower of the feed goes from one to the other.
 */
export const rollingRestart: Fault = {
  name: "rolling restart of two replicas of every role",
  about: "One of two processes of every role is ended with SIGTERM under load and replaced, then the other.",
  ground: commonGround,
  short: { times: 2, tasks: 300 },
  long: { times: 4, tasks: 400 },
  run: async (ground, plan, random) => {
    const roles = ground.parts.filter((part) => !part.startsWith("node:"));
    const second = (role: string) => `${role}:second`;
    const waves = [
      ["node:a", ...roles],
      ["node:b", ...roles.map(second)],
    ];
    await Promise.all(roles.map((role) => ground.start(second(role))));
    const follower = await followFeed(ground);
    const { ids: endlessIds } = await submitLoad(ground.api, { count: 1, atOnce: 1, spec: () => endless });
    const long = endlessIds[0]!;
    const cutBefore = ground.balancer.cut();
    let unanswered = 0;
    const done = await underLoad(ground, { ...plan, pauseMs: 150 }, random, async (index) => {
      const parts = waves[index % waves.length]!;
      const waiting = askUntilEnd(ground, parts.find((part) => part.startsWith("control-plane"))!, long);
      await Promise.all(
        parts.map(async (part) => {
          await ground.end(part);
          // One that is not needed any more after the last is not started again.
          const isOver = index === plan.times - 1 && part.endsWith(":second");
          if (!isOver) await ground.start(part);
        }),
      );
      unanswered += (await waiting) ? 0 : 1;
    });
    const cut = ground.balancer.cut() - cutBefore + unanswered;
    await waitFor("the cancel to be taken", async () => (await ground.api.cancel(long)).status === 202, {
      deadlineMs: ground.times.endMs,
    });
    if (plan.times % 2 === 1) await Promise.all(roles.map((role) => ground.end(second(role))));
    const ids = [...done.ids, long];
    const misread = await follower.end(ids);
    if (follower.connections() < plan.times) throw new Error("the follower of the feed was never cut off");
    return { ...done, ids, cut, misread };
  },
};

const endless = {
  image: "cazi/toolbox:latest",
  command: ["sleep", "3000"],
  timeout_seconds: 3600,
  max_retries: 20,
  tags: [loadTag],
};

/** A request that is under way when an API is asked to end. @returns whether it was answered */
async function askUntilEnd(ground: ChaosGround, part: string, id: string): Promise<boolean> {
  const headers = { authorization: `Bearer ${ground.fleet.token()}` };
  const answer = await fetch(`${ground.urlOf(part)}/v1/tasks/${id}?wait=45`, { headers }).catch(() => null);
  return answer?.status === 200 && ((await answer.json()) as Task).id === id;
}
