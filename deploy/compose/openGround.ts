/**
 * What every process that runs roles stands on: one connection, one reader of the ledger, one fold of what is
 * live, one ledger client behind one gate.
 */
import { hostname } from "node:os";
import { guardReply } from "../../schemas/messages/guard.ts";
import type { Clock } from "../../services/kernel/clock.ts";
import type { Config } from "../../services/kernel/config.ts";
import { newId } from "../../services/kernel/ids.ts";
import { type Lease, strive } from "../../services/kernel/lease.ts";
import { checkWitness, madeAnew } from "../../services/kernel/ledger/checkWitness.ts";
import { openLedgerFeed } from "../../services/kernel/ledger/ledgerFeed.ts";
import { type LiveFold, openLiveFold } from "../../services/kernel/ledger/liveFold.ts";
import { createSnapshotStore } from "../../services/kernel/ledger/snapshotStore.ts";
import type { LedgerFeed } from "../../services/kernel/ledger/storedEvent.ts";
import { createTaskLedger, type TaskLedger } from "../../services/kernel/ledger/taskLedger.ts";
import {
  createWriteGate,
  type RegressionCheck,
  type WriteGate,
} from "../../services/kernel/ledger/writeGate.ts";
import type { Log } from "../../services/kernel/log.ts";
import type { Metrics } from "../../services/kernel/metrics/metrics.ts";
import { openMetrics } from "../../services/kernel/metrics/openMetrics.ts";
import { connectNats, type Nats } from "../../services/kernel/nats/connectNats.ts";
import { asNatsError } from "../../services/kernel/nats/natsError.ts";
import { natsTls } from "../../services/kernel/nats/tls.ts";
import { type NodeDirectory, watchNodes } from "../../services/kernel/nodes/nodeDirectory.ts";
import { openTracer } from "../../services/kernel/tracing/openTracer.ts";
import type { Tracer } from "../../services/kernel/tracing/tracer.ts";
import { ensure } from "../../streams/ensure.ts";
import { DEFAULT_SHARD, ledgerStream } from "../../streams/streams.ts";
import { subjects } from "../../streams/subjects.ts";
import { watchGround } from "./metrics/watchGround.ts";
import { watchLeases } from "./metrics/watchLeases.ts";
import { untilReachable } from "./untilReachable.ts";

export interface Ground {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  readonly shard: number;
  readonly nats: Nats;
  readonly feed: LedgerFeed;
  readonly live: LiveFold;
  readonly gate: WriteGate;
  readonly ledger: TaskLedger;
  readonly nodes: NodeDirectory;
  readonly metrics: Metrics;
  readonly tracer: Tracer;
  /** Strives for the lease of a role on this shard. */
  lease(role: string): Lease;
  stop(): Promise<void>;
}

export interface GroundOptions {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  readonly nats: { readonly url: string; readonly credsFile: string };
  /** Tells a person what this start waits for. */
  readonly tell: (text: string) => void;
  /** The home whose lock this process holds, or "" when it holds none. */
  readonly home: string;
}

/** A server that starts beside us on a loaded machine needs this; one that is not there is told of after it. */
const FIRST_CONNECTION_MS = 30_000;
const GUARD_WAIT_MS = 2_000;

export async function openGround(options: GroundOptions): Promise<Ground> {
  const { config, clock, log, home } = options;
  const shard = DEFAULT_SHARD;
  const processId = `${hostname()}.${process.pid}.${newId(clock.now())}`;
  const [metrics, tracer, nats] = await Promise.all([
    openMetrics({ clock }),
    openTracer({ config, log }),
    connectNats({
      url: options.nats.url,
      credsFile: options.nats.credsFile || null,
      tls: natsTls(config),
      name: `cazi ${processId}`,
      firstWaitMs: FIRST_CONNECTION_MS,
      onWaiting: options.tell,
    }),
  ]);
  const { feed, leases } = await openStreams(nats, shard, options);
  const gate = createWriteGate({
    nats,
    clock,
    check: regressionCheck(nats, shard, feed.epoch),
    onRegressed: (reason) => log.fatal({ reason }, "the ledger has lost events; nothing is written to it"),
  });
  const endNotices = heedNotices(nats, shard, gate);
  const policy = {
    claimLimitMs: config.claimLimitMs,
    startLimitMs: config.startLimitMs,
    stopGraceMs: config.stopGraceMs,
    dueMarginMs: config.dueMarginMs,
  };
  const { replicated } = feed;
  const ledger = createTaskLedger({ nats, clock, policy, gate, shard, replicated, meter: metrics, tracer });
  const [live, nodes] = await Promise.all([
    openLiveFold({ feed, log, snapshots: createSnapshotStore({ nats, log }) }),
    watchNodes({ nats, clock, log, offlineMs: config.nodeOfflineMs }),
  ]);
  const holder = { process: processId, home };
  const lease = (role: string) =>
    strive({ kv: leases, key: `${role}.${shard}`, holder, lifeMs: config.leaseMs, clock });
  const endWatch = watchGround(metrics, { config, clock, shard, nats, feed, live, gate, nodes });
  return {
    config,
    clock,
    log,
    shard,
    nats,
    feed,
    live,
    gate,
    ledger,
    nodes,
    metrics,
    tracer,
    lease: watchLeases(metrics, lease),
    stop: async () => {
      endWatch();
      endNotices();
      gate.stop();
      await Promise.all([live.stop(), nodes.stop()]);
      await feed.stop();
      await nats.close();
      await tracer.stop();
    },
  };
}

/** A server that begins, or elects a leader, takes connections before it answers for its streams. */
async function openStreams(nats: Nats, shard: number, options: GroundOptions) {
  const { config, log } = options;
  const answered = <T>(ask: () => Promise<T>) =>
    untilReachable(
      () => ask().catch((error) => Promise.reject(asNatsError(error, nats.connection.info))),
      options,
    );
  const timing = {
    leaseMs: config.leaseMs,
    nodeOfflineMs: config.nodeOfflineMs,
    replicas: config.natsReplicas,
  };
  const made = await answered(() => ensure(nats.js, nats.jsm, timing));
  if (made.length > 0) log.info({ made }, "streams and buckets made");
  const [feed, leases] = await Promise.all([
    answered(() => openLedgerFeed({ nats, log, shard })),
    answered(() => nats.js.views.kv("leases")),
  ]);
  return { feed, leases };
}

/** Somebody found the ledger damaged, or repairs it: it is looked at now, so that /readyz says so as well. */
function heedNotices(nats: Nats, shard: number, gate: WriteGate): () => void {
  const callback = () => {
    gate.close();
    gate.open().catch(() => undefined);
  };
  const subscription = nats.connection.subscribe(subjects.gateNotice({ shard }), { callback });
  return () => subscription.unsubscribe();
}

/**
 * Who lived on checks what it knows itself, and asks a process that has the copy in Postgres as well, which may know of
 * a repair or of damage further back; who is new has nothing else to go by.
 */
function regressionCheck(nats: Nats, shard: number, epoch: string): RegressionCheck {
  return async (own) => {
    try {
      const known = own === null ? "unknown" : await checkWitness(nats, { shard, epoch, witness: own });
      if (typeof known === "object") return known;
      const copy = await askGuard(nats, shard).catch(() => "unknown" as const);
      if (copy === "unknown" || typeof copy === "object" || own !== null)
        return copy === "unknown" ? known : copy;
      const stream = ledgerStream(shard);
      const { created } = await nats.jsm.streams.info(stream);
      return String(created) === epoch ? "ok" : { regressed: madeAnew(stream, created, epoch) };
    } catch {
      return "unknown";
    }
  };
}

async function askGuard(nats: Nats, shard: number): ReturnType<RegressionCheck> {
  const answer = await nats.connection.request(subjects.guard({ shard }), undefined, {
    timeout: GUARD_WAIT_MS,
  });
  const reply = guardReply.parse(answer.json());
  return reply.answer === "regressed" ? { regressed: reply.reason } : reply.answer;
}
