import { setTimeout as pause } from "node:timers/promises";
import { createInbox } from "nats";
import { connectNats } from "../../../services/kernel/nats/connectNats.ts";
import { filters } from "../../../streams/subjects.ts";
import type { Fault } from "../fault.ts";
import { underLoad } from "./underLoad.ts";

/** A copy comes after up to so long: beside, behind and between the others of its task. */
const lateMs = 2_000;

/**
 * Every claim, report, grant request and beat comes again, some twice, each copy late by chance: what was sent once
 * arrives doubled, out of order, and of attempts long over.
 */
export const echoMessages: Fault = {
  name: "every internal message doubled and late",
  about: "Claims, reports, grant requests and beats are sent again, each after a time of its own.",
  ground: { nats: "single", nodes: ["a", "b"], runtime: "noop" },
  short: { times: 1, tasks: 300 },
  long: { times: 10, tasks: 20_000 },
  run: async (ground, plan, random) => {
    const nats = await connectNats({ ...ground.nats, name: "echo", firstWaitMs: 10_000 });
    let copies = 0;
    /** Own copies are not copied again. */
    const mark = "Cazi-Echo";
    const echo = async (filter: string, asks: boolean) => {
      const { headers } = await import("nats");
      for await (const message of nats.connection.subscribe(filter)) {
        if (message.headers?.has(mark)) continue;
        for (let copy = 0; copy < (random() < 0.2 ? 2 : 1); copy++) {
          void pause(random() * lateMs).then(() => {
            if (nats.connection.isClosed()) return;
            const marked = headers();
            marked.set(mark, "1");
            copies++;
            const reply = asks ? { reply: createInbox() } : {};
            nats.connection.publish(message.subject, message.data, { ...reply, headers: marked });
          });
        }
      }
    };
    for (const filter of [filters.claims, filters.reports]) void echo(filter, false);
    for (const filter of [filters.grants, filters.beats]) void echo(filter, true);
    const done = await underLoad(ground, { ...plan, pauseMs: 2_000 }, random, async () => undefined);
    await pause(lateMs);
    await nats.connection.close();
    return { ...done, faults: copies };
  },
};
