import { setTimeout as pause } from "node:timers/promises";
import { headers } from "nats";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { logHeaders } from "../../../schemas/messages/node.ts";
import { subjects } from "../../../streams/subjects.ts";
import { ledgerOnNats } from "../../../test/support/ledgerOnNats.ts";
import { withNats } from "../../../test/support/withNats.ts";
import { systemClock } from "../clock.ts";
import type { Nats } from "../nats/connectNats.ts";
import { createLogSource, type LogChunk } from "./logSource.ts";

const server = withNats();
let nats: Nats;
beforeAll(async () => {
  ({ nats } = await ledgerOnNats(server));
});
afterAll(() => nats.close());

/** As large as a node makes them: small ones would all have arrived before the fetch ends. */
const chunkBytes = 128 * 1024;

async function store(task: string, count: number): Promise<void> {
  const subject = subjects.log({ node: "local", task, attempt: 1, stream: "stdout" });
  for (let n = 0; n < count; n++) {
    const own = headers();
    own.set(logHeaders.offset, String(n * chunkBytes));
    own.set(logHeaders.at, "0");
    await nats.js.publish(subject, Buffer.alloc(chunkBytes, n), { headers: own });
  }
}

/** Takes one chunk each `everyMs`, `count` of them. */
async function takeSlowly(chunks: AsyncIterable<LogChunk>, of: { everyMs: number; count: number }) {
  const offsets: number[] = [];
  for await (const chunk of chunks) {
    offsets.push(chunk.offset);
    if (offsets.length === of.count) break;
    await pause(of.everyMs);
  }
  return offsets;
}

const inOrder = (count: number) => Array.from({ length: count }, (_, n) => n * chunkBytes);

describe("the source of output", () => {
  it("gives a reader that is slower than a fetch lasts every chunk, in order", async () => {
    await store("slow", 50);
    const source = createLogSource({ nats, clock: systemClock });
    const reading = await source.read({ task: "slow", attempt: 1, stream: "stdout" }, 1);
    expect(reading.pending).toBe(50);
    expect(await takeSlowly(reading.chunks, { everyMs: 100, count: 50 })).toEqual(inOrder(50));
  });

  it("brings no more than some chunks for a reader that takes one", async () => {
    const count = 24;
    await store("paged", count);
    const source = createLogSource({ nats, clock: systemClock });
    const { inBytes } = nats.connection.stats();
    const reading = await source.read({ task: "paged", attempt: 1, stream: "stdout" }, 1);
    expect(await takeSlowly(reading.chunks, { everyMs: 0, count: 1 })).toEqual([0]);
    // An answer comes after all that was on its way to this connection.
    await source.last({ task: "paged", attempt: 1, stream: "stdout" });
    expect(nats.connection.stats().inBytes - inBytes).toBeLessThan(5 * chunkBytes);
  });

  it("goes on after a restart of the server, with what comes next", async () => {
    await store("restarted", 40);
    const source = createLogSource({ nats, clock: systemClock });
    const reading = await source.read({ task: "restarted", attempt: 1, stream: "stdout" }, 1);
    const offsets = await takeSlowly(reading.chunks, { everyMs: 0, count: 40 });
    expect(offsets).toEqual(inOrder(40));
    const gone = new AbortController();
    const followed = await source.follow({ task: "restarted", attempt: 1, stream: "stdout" }, 1, gone.signal);
    await nats.connection.flush();
    await server.kill();
    await server.restart();
    expect(await takeSlowly(followed.chunks, { everyMs: 0, count: 40 })).toEqual(inOrder(40));
    gone.abort();
  });
});
