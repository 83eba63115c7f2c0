/** A follower of the feed over whichever API is there, and whether it was told everything. */
import { randomInt } from "node:crypto";
import { followFeed as followApi } from "../../../services/kernel/client/followFeed.ts";
import { createHttp } from "../../../services/kernel/client/http.ts";
import { systemClock } from "../../../services/kernel/clock.ts";
import { bySubject, readLedger } from "../../support/homeLedger.ts";
import { waitFor } from "../../support/waitFor.ts";
import type { ChaosGround } from "./chaosGround.ts";

export interface FeedFollower {
  /** How often it had to connect. */
  connections(): number;
  /**
   * Waits for the ends of these tasks and stops. All of them were submitted after it began.
   * @returns of how many it missed an event, or had one twice or out of order
   */
  end(ids: readonly string[]): Promise<number>;
}

const deadlineMs = 120_000;

/** Resolves once it is at the feed's end. */
export async function followFeed(ground: ChaosGround): Promise<FeedFollower> {
  const seen = new Map<string, string[]>();
  const over = new AbortController();
  const url = "http://balancer";
  let connections = 0;
  let hasBegun = false;
  const counted: typeof fetch = (input, init) => {
    connections++;
    return ground.balancer.fetch(input, init);
  };
  const http = createHttp({
    ...{ url, token: ground.fleet.token(), route: "cli", clock: systemClock },
    ...{ random: () => randomInt(1_000) / 1_000, fetch: counted },
  });
  const following = (async () => {
    const clock = systemClock;
    for await (const items of followApi(http, { url, clock }, { signal: over.signal })) {
      hasBegun = true;
      for (const item of items) {
        if (item.kind !== "event") continue;
        const { subject, id } = item.event;
        const before = seen.get(subject);
        if (before === undefined) seen.set(subject, [id]);
        else before.push(id);
      }
    }
  })();
  following.catch(() => undefined);
  await Promise.race([waitFor("the follower to begin", () => hasBegun, { deadlineMs }), following]);
  return {
    connections: () => connections,
    end: async (ids) => {
      const wrong = async () => {
        const histories = bySubject(await readLedger(ground.nats));
        const told = new Map([...histories].map(([subject, events]) => [subject.split(".").at(-1)!, events]));
        return ids.filter(
          (id) =>
            told
              .get(id)
              ?.map(({ event }) => event.id)
              .join() !== seen.get(id)?.join(),
        ).length;
      };
      // Until nothing is missing; what is there twice stays.
      await waitFor("the feed to be followed to its end", async () => (await wrong()) === 0, {
        deadlineMs: Math.min(deadlineMs, ground.times.endMs),
        pollMs: 500,
      }).catch(() => undefined);
      over.abort();
      return wrong();
    },
  };
}
