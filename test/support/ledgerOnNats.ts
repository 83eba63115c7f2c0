/** A ledger client on a test's NATS server, the way a process of the product has it. */
import { randomUUID } from "node:crypto";
import { systemClock } from "../../services/kernel/clock.ts";
import { createTaskLedger, type TaskLedger } from "../../services/kernel/ledger/taskLedger.ts";
import { createWriteGate } from "../../services/kernel/ledger/writeGate.ts";
import { createLog } from "../../services/kernel/log.ts";
import { connectNats, type Nats } from "../../services/kernel/nats/connectNats.ts";
import { ensure } from "../../streams/ensure.ts";
import { DEFAULT_SHARD } from "../../streams/streams.ts";

export const testPolicy = {
  claimLimitMs: 30_000,
  startLimitMs: 60_000,
  stopGraceMs: 2_000,
  dueMarginMs: 2_000,
};
export const silentLog = createLog("silent", "test");

/** Connects, makes all streams, and gives a ledger whose gate is open. */
export async function ledgerOnNats(server: {
  url: string;
  credsFile: string;
}): Promise<{ nats: Nats; ledger: TaskLedger }> {
  const nats = await connectNats({
    url: server.url,
    credsFile: server.credsFile,
    name: "test",
    firstWaitMs: 5_000,
  });
  await ensure(nats.js, nats.jsm, { leaseMs: 2_000, nodeOfflineMs: 5_000, replicas: 1 });
  return { nats, ledger: openLedger(nats) };
}

/** Another client of the same ledger. @param replicated the ledger is kept by a cluster */
export function openLedger(nats: Nats, { replicated = false } = {}): TaskLedger {
  const gate = createWriteGate({
    nats,
    clock: systemClock,
    check: async () => "ok",
    onRegressed: () => undefined,
  });
  return createTaskLedger({
    nats,
    clock: systemClock,
    policy: testPolicy,
    gate,
    shard: DEFAULT_SHARD,
    replicated,
  });
}

/** A submit of a small task. */
export function submitCommand(spec = '{"command":["true"],"image":"cazi/toolbox:latest"}') {
  return {
    kind: "submit",
    at: Date.now(),
    id: randomUUID(),
    spec,
    spec_digest: "sha256:0",
    request_hash: null,
    source: "submit",
    who: { actor: "user:test", accountable: null, route: "rest" },
    limits: { timeout_ms: 60_000, max_retries: 0, ttl_ms: null, start_within_ms: null, sinks: 0 },
    image: null,
    traceparent: null,
    tracestate: null,
    blocked: null,
  } as const;
}
