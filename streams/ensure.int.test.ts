/** What processes that start at once make of a new server. */
import type { JetStreamManager, StreamConfig } from "nats";
import { afterAll, beforeAll, expect, it } from "vitest";
import { connectNats, type Nats } from "../services/kernel/nats/connectNats.ts";
import { asNatsError } from "../services/kernel/nats/natsError.ts";
import { withNats } from "../test/support/withNats.ts";
import { buckets } from "./buckets.ts";
import { ensure } from "./ensure.ts";
import { streams } from "./streams.ts";

const PROCESSES = 8;
const timing = { leaseMs: 2_000, nodeOfflineMs: 5_000, replicas: 1 };
const server = withNats();
let connections: Nats[];

beforeAll(async () => {
  connections = await Promise.all(
    Array.from({ length: PROCESSES }, (_, n) =>
      connectNats({ ...server, name: `process ${n}`, firstWaitMs: 5_000 }),
    ),
  );
});
afterAll(() => Promise.all(connections.map((nats) => nats.close())));

async function removeAll(jsm: JetStreamManager): Promise<void> {
  for (const { config } of await jsm.streams.list().next()) await jsm.streams.delete(config.name);
}

it.each([1, 2, 3])("is ready for each of eight that make all of it at the same time, round %i", async () => {
  const [{ jsm }] = connections as [Nats];
  await removeAll(jsm);
  await Promise.all(connections.map((nats) => ensure(nats.js, nats.jsm, timing)));
  const found = await jsm.streams.list().next();
  expect(found).toHaveLength(streams.length + buckets(timing).length);
  expect(await ensure(connections[0]!.js, jsm, timing)).toEqual([]);
});

/** As a server that finds no such name, then that of another who came in between. */
function overtaken(jsm: JetStreamManager, other: (config: Partial<StreamConfig>) => Partial<StreamConfig>) {
  const add: JetStreamManager["streams"]["add"] = async (config) => {
    await jsm.streams.add(other(config as Partial<StreamConfig>));
    return jsm.streams.add({ ...config, name: `${config.name}-late` });
  };
  return new Proxy(jsm, {
    get: (all, key) =>
      key === "streams"
        ? new Proxy(all.streams, { get: (api, name) => (name === "add" ? add : Reflect.get(api, name)) })
        : Reflect.get(all, key),
  });
}

it("takes a stream that another has made between the server's look for its name and that for its subjects", async () => {
  const [{ js, jsm }] = connections as [Nats];
  await removeAll(jsm);
  await ensure(
    js,
    overtaken(jsm, (config) => config),
    timing,
  );
  expect(await ensure(js, jsm, timing)).toEqual([]);
});

it("says that a stranger's stream has the subjects which its own needs", async () => {
  const [{ js, jsm }] = connections as [Nats];
  await removeAll(jsm);
  const stranger = overtaken(jsm, (config) => ({ ...config, name: `${config.name}-of-a-stranger` }));
  const error = await ensure(js, stranger, timing).catch(asNatsError);
  expect(error).toMatchObject({ code: "NATS_SUBJECTS_TAKEN" });
});
