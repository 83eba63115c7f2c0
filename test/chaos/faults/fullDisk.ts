import { setTimeout as pause } from "node:timers/promises";
import { waitFor } from "../../support/waitFor.ts";
import type { Fault } from "../fault.ts";
import type { ChaosGround } from "../ground/chaosGround.ts";
import { underLoad } from "./underLoad.ts";

/** The server looks at its disk now and then: so long what it has still finds room, and then nothing does. */
const fullMs = 5_000;

/**
 * The NATS server's disk is full under load, until somebody makes room and starts it anew. In `npm test` it is the disk of the whole product:
 * `test/e2e/fullDisk.e2e.test.ts`.
 */
export const fullDisk: Fault = {
  name: "disk full under NATS",
  about:
    "The small disk of the NATS server is filled under load; it is freed, and the server is killed and started anew.",
  ground: { nats: "small disk", nodes: ["a", "b"], runtime: "noop" },
  short: null,
  long: { times: 3, tasks: 500 },
  run: (ground, plan, random) =>
    underLoad(ground, { ...plan, pauseMs: 1_000 }, random, async () => {
      const { disk } = ground.nats;
      if (disk === undefined) throw new Error("this server has no disk of its own");
      disk.fill();
      await pause(fullMs);
      disk.free();
      // A stream that met the full disk in the middle of a write confirms nothing more until the server starts anew (2.9.10).
      await ground.nats.killOne();
      await takesTasks(ground);
    }),
};

async function takesTasks(ground: ChaosGround): Promise<void> {
  const body = { image: "cazi/toolbox:latest", command: ["true"], timeout_seconds: 60, max_retries: 20 };
  const id = await waitFor(
    "a task to be taken again",
    async () => {
      const answer = await ground.api.request<{ id: string }>("POST", "/v1/tasks", {
        body,
        headers: { "idempotency-key": `room-${ground.acknowledged.size}` },
      });
      if (answer.status !== 202) throw new Error(JSON.stringify(answer.body));
      return answer.body.id;
    },
    { deadlineMs: 120_000, pollMs: 500 },
  );
  ground.acknowledged.add(id);
}
