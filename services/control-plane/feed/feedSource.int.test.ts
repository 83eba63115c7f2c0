/** Reading the feed on a real server: across its death, and behind what is pruned. */
import { headers } from "nats";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { feedHeaders } from "../../../schemas/messages/feed.ts";
import { streamConfig } from "../../../streams/ensure.ts";
import { eventsStream, streams } from "../../../streams/streams.ts";
import { subjects } from "../../../streams/subjects.ts";
import { ledgerOnNats } from "../../../test/support/ledgerOnNats.ts";
import { waitFor } from "../../../test/support/waitFor.ts";
import { withNats } from "../../../test/support/withNats.ts";
import { systemClock } from "../../kernel/clock.ts";
import type { Nats } from "../../kernel/nats/connectNats.ts";
import { createFeedSource, type FeedSource, type FeedStep } from "./feedSource.ts";

const EVENTS = eventsStream(0);
const server = withNats();
let nats: Nats;
let source: FeedSource;

beforeAll(async () => {
  ({ nats } = await ledgerOnNats(server));
  source = createFeedSource({ nats, clock: systemClock, shard: 0 });
});
afterAll(() => nats.close());
beforeEach(() => remake());

async function remake(): Promise<void> {
  await nats.jsm.streams.delete(EVENTS).catch(() => false);
  await nats.jsm.streams.add(
    streamConfig(streams.find((one) => one.name === EVENTS)!, 1) as { name: string },
  );
}

async function feed(count: number, tenant = "acme"): Promise<void> {
  for (let index = 0; index < count; index++) {
    const head = headers();
    head.set(feedHeaders.ledgerSeq, String(100 + index));
    const subject = subjects.event({ tenant, kind: "task", transition: "failed", id: `t${index}` });
    await nats.js.publish(subject, `${index}`, { headers: head });
  }
}

/** Takes steps at the test's pace. */
function reader(seq: number) {
  const abort = new AbortController();
  const of = { tenant: "acme", transition: null, after: { seq, life: null } };
  const steps = source.follow(of, abort.signal);
  const take = async (count: number) => {
    const taken: FeedStep[] = [];
    while (taken.length < count) taken.push((await steps.next()).value as FeedStep);
    return taken.map((step) =>
      step.kind === "gap" ? `gap ${step.gap.from}-${step.gap.to}` : step.entry.seq,
    );
  };
  const end = async () => {
    abort.abort();
    await steps.return();
  };
  return { take, end };
}

describe("a reader of the feed", () => {
  it("gets its tenant's events once each, in order, also those that come later", async () => {
    await feed(3);
    await feed(2, "other");
    const { take, end } = reader(0);
    expect(await take(3)).toEqual([1, 2, 3]);
    await feed(2);
    expect(await take(2)).toEqual([6, 7]);
    await end();
  });

  it("goes on after the last event that it took when the server dies and comes back", async () => {
    await feed(150);
    const { take, end } = reader(0);
    const first = await take(40);
    await server.kill();
    await server.restart();
    await waitFor("the connection to be back", () => nats.connected(), { deadlineMs: 20_000 });
    await feed(10);
    expect([...first, ...(await take(120))]).toEqual(Array.from({ length: 160 }, (_, index) => index + 1));
    await end();
  });

  it("is told of what was pruned in front of it while it was slow, and goes on behind it", async () => {
    await feed(300);
    const { take, end } = reader(0);
    const first = await take(10);
    await nats.jsm.streams.purge(EVENTS, { seq: 251 });
    // What was fetched already still comes; how much that is, the client and the server settle between them.
    const read = [...first];
    while (typeof read.at(-1) === "number") read.push(...(await take(1)));
    const before = read.length - 1;
    expect(read.slice(0, -1)).toEqual(Array.from({ length: before }, (_, index) => index + 1));
    expect([read.at(-1), ...(await take(2))]).toEqual([`gap ${before + 1}-250`, 251, 252]);
    await end();
  });

  it("is not told of a gap where the events between were another tenant's", async () => {
    await feed(1);
    await feed(80, "other");
    await feed(1);
    const { take, end } = reader(1);
    expect(await take(1)).toEqual([82]);
    await end();
  });

  it("reads a feed that was made anew from its start, and is told", async () => {
    await feed(5);
    const { take, end } = reader(0);
    expect(await take(5)).toEqual([1, 2, 3, 4, 5]);
    const ends = await source.ends();
    await remake();
    expect((await source.ends()).life).not.toBe(ends.life);
    await feed(2);
    await end();
    const again = source.follow(
      { tenant: "acme", transition: null, after: { seq: 1, life: ends.life } },
      new AbortController().signal,
    );
    expect(await again.next()).toMatchObject({ value: { kind: "gap", gap: { reason: "other_life" } } });
    expect(await again.next()).toMatchObject({ value: { kind: "event", entry: { seq: 1 } } });
    await again.return();
  });
});
