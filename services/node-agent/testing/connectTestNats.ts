import { claimsConsumer } from "../../../streams/consumers.ts";
import { ensure, ensureConsumer } from "../../../streams/ensure.ts";
import type { TestNats } from "../../../test/support/withNats.ts";
import { connectNats, type Nats } from "../../kernel/nats/connectNats.ts";

/** A connection to a test's server. */
export function connectTestNats(server: TestNats, name: string): Promise<Nats> {
  return connectNats({ url: server.url, credsFile: server.credsFile, name, firstWaitMs: 10_000 });
}

/** Makes streams, buckets and the claims consumer of `node`. */
export async function prepareStreams(nats: Nats, node: string): Promise<void> {
  await ensure(nats.js, nats.jsm, { leaseMs: 10_000, nodeOfflineMs: 30_000, replicas: 1 });
  await ensureConsumer(nats.jsm, claimsConsumer(node));
}
