/** The control plane's API with its real parts. Transitions are started apart: they need no Postgres. */
import { randomBytes } from "node:crypto";
import type { Health } from "../../schemas/api/health.ts";
import { DEFAULT_SHARD, ledgerStream } from "../../streams/streams.ts";
import { subjects } from "../../streams/subjects.ts";
import { refuseMounts } from "../domain/scheduling/mountRule.ts";
import { isUsableBy } from "../domain/scheduling/rules.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Config } from "../kernel/config.ts";
import type { ConnectionStore } from "../kernel/connections/connectionStore.ts";
import { deadLettersOnNats } from "../kernel/deadLetters/deadLetters.ts";
import { newId } from "../kernel/ids.ts";
import type { LiveFold } from "../kernel/ledger/liveFold.ts";
import { schedulingIndexOf } from "../kernel/ledger/schedulingIndexOf.ts";
import type { LedgerFeed } from "../kernel/ledger/storedEvent.ts";
import type { TaskLedger } from "../kernel/ledger/taskLedger.ts";
import type { WriteGate } from "../kernel/ledger/writeGate.ts";
import type { Log } from "../kernel/log.ts";
import { createLogSource } from "../kernel/logs/logSource.ts";
import type { Metrics } from "../kernel/metrics/metrics.ts";
import type { Nats } from "../kernel/nats/connectNats.ts";
import type { NodeDirectory } from "../kernel/nodes/nodeDirectory.ts";
import type { DatabasePool } from "../kernel/postgres/openPool.ts";
import { createSubscriberStore } from "../kernel/subscribers/subscriberStore.ts";
import { bulkRandom } from "../kernel/tracing/bulkRandom.ts";
import { newTraceparent } from "../kernel/tracing/traceContext.ts";
import type { Tracer } from "../kernel/tracing/tracer.ts";
import { type AdmissionLimits, createAdmission } from "./admission/admission.ts";
import { buildApp } from "./buildApp.ts";
import { waitsForDisk, watchDatabase } from "./databaseWatch.ts";
import { createFeedSource } from "./feed/feedSource.ts";
import { allowedHosts, isLoopback } from "./http/hostHeader.ts";
import type { Identity } from "./identity/identity.ts";
import { listen } from "./listen.ts";
import { callRecords } from "./model/callRecords.ts";
import { type ModelCalls, modelCalls } from "./model/modelCalls.ts";
import { createFleet } from "./nodes/fleet.ts";
import { listNodes } from "./nodes/listNodes.ts";
import { type PeopleConfig, type RunningPeople, startPeople } from "./people/startPeople.ts";
import type { ApiPorts, TaskReads } from "./ports.ts";
import { type ChildTasks, childTasks } from "./process/childTasks.ts";
import { answerQuotas } from "./quotas/answerQuotas.ts";
import { countStored } from "./quotas/countStored.ts";
import { hearServers, type ServersHeard } from "./quotas/hearServers.ts";
import { createQuotas, type FollowUpQuota, type Quotas, type UploadQuota } from "./quotas/quotas.ts";
import { waitingTasks } from "./quotas/waitingTasks.ts";
import { metricsAccess } from "./routes/metricsRoute.ts";
import { type AckMode, decideAck } from "./submit/ack.ts";
import { watchCheckpoints } from "./submit/checkpointWatch.ts";
import { refuseSinks } from "./submit/refuseSinks.ts";
import { watchStorage } from "./submit/storageWatch.ts";
import { pendingReasons } from "./tasks/pendingReasons.ts";
import { watchTaskEnds } from "./tasks/taskEnds.ts";

const traceBytes = bulkRandom(randomBytes);

export interface ControlPlaneParts {
  readonly config: Pick<
    Config,
    | "home"
    | "ack"
    | "ackWaitMs"
    | "projectorLagMax"
    | "tenant"
    | "metrics"
    | "allowedHosts"
    | "priorityPointMs"
    | "sinkAllowPrivate"
    | "sinkPorts"
    | "sinkFiles"
    | "modelKey"
    | "modelUrl"
    | "modelCallsMax"
  > &
    AdmissionLimits &
    PeopleConfig;
  readonly nats: Nats;
  readonly pool: DatabasePool;
  readonly reads: TaskReads;
  readonly ledger: TaskLedger;
  readonly gate: WriteGate;
  readonly feed: LedgerFeed;
  readonly live: LiveFold;
  readonly nodes: NodeDirectory;
  readonly identity: Identity;
  readonly connections: ConnectionStore;
  readonly metrics: Metrics;
  readonly tracer: Tracer;
  /** The first token; it has every right in the tenant of the configuration. */
  readonly adminToken: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly listen: { readonly host: string; readonly port: number };
  /** False: the port is a default, and gives way when it is taken. */
  readonly portFixed: boolean;
  /** Reads what tasks published. */
  readonly artifacts: ApiPorts["artifacts"];
  /** Bytes that a tenant's tasks published; none where nothing counts them. */
  readonly hostedBytes?: (tenant: string) => number;
  /** Whether nodes reach the server that takes commands of scripts. */
  readonly takesCommands?: boolean;
  /** Answers `/mcp`. */
  readonly mcp?: ApiPorts["mcp"];
  /** What other roles of this process know to be missing; added to `/readyz`. */
  readonly unready?: () => Health["reasons"];
}

export interface ControlPlane {
  readonly url: string;
  /** For the server that workloads reach. */
  readonly children: ChildTasks;
  readonly models: ModelCalls;
  readonly quotas: UploadQuota;
  /** What an acknowledged submit means here. */
  readonly ack: AckMode;
  /** What the API itself is missing for serving. */
  missing(): Health["reasons"];
  /** From now on `/readyz` says that it is about to end; everything is answered as before. */
  drain(): void;
  stop(): Promise<void>;
}

/** Starts the API; resolves when it listens. @throws Rejection `PORT_TAKEN` */
export async function startControlPlane(parts: ControlPlaneParts): Promise<ControlPlane> {
  const { config, nats, pool, clock, log, live, nodes, feed } = parts;
  const { ledger, gate, reads, identity, connections, artifacts, tracer } = parts;
  const stopping = new AbortController();
  const draining = new AbortController();
  const [ack, database, ends, who] = await Promise.all([
    ackInForce(parts),
    watchDatabase(pool, config.tenant),
    watchTaskEnds({ feed, log }),
    startPeople(parts),
  ]);
  const { shard, epoch } = feed;
  const checkpoints = watchCheckpoints({ nats, clock, shard, epoch, lagMax: config.projectorLagMax });
  const storage = watchStorage({ nats, log, home: config.home });
  const servers = hearServers({ nats, clock, server: newId(clock.now()) });
  const usedOn = (node: string) => count(live.tasks.on(node));
  const index = schedulingIndexOf(live, config.priorityPointMs);
  const own = () => missing({ nats, database, checkpoints, storage });
  const unready = () => [
    ...(draining.signal.aborted ? [isEnding] : []),
    ...own(),
    ...(parts.unready?.() ?? []),
  ];
  parts.metrics.watch("ready", (set) => set("cazi_ready", {}, unready().length === 0 ? 1 : 0));
  const peopled = peoplePorts(parts, who, servers);
  const stopQuotas = answerQuotas({ nats, log, quotas: peopled.quotas });
  const onLoopback = isLoopback(parts.listen.host);
  const ports: ApiPorts = {
    clock,
    log,
    admission: createAdmission(config, clock.monotonicMs),
    ...peopled,
    ...{ ledger, gate, reads, identity, connections, artifacts, tracer },
    ...{ ends, checkpoints, epoch, ack, database, storage },
    ackWaitMs: config.ackWaitMs,
    ...natsPorts(parts),
    nodes: () => listNodes({ directory: nodes, useOf: (node) => index.useOf(node), clock }),
    fleet: createFleet({ nats, nodes, runningOn: usedOn, clock, log }),
    ...refusals(parts),
    pendingReason: pendingReasons({ index, nodes, clock }),
    metrics: { ...parts.metrics, access: metricsAccess(config.metrics, onLoopback) },
    newTraceparent: () => newTraceparent(traceBytes),
    unready,
    mcp: parts.mcp ?? null,
    hosts: allowedHosts({ configured: config.allowedHosts, listensOn: parts.listen.host }),
    draining: draining.signal,
    stopping: stopping.signal,
  };
  const app = await buildApp(ports);
  const url = await listen(app, { ...parts.listen, portFixed: parts.portFixed });
  return {
    url,
    children: childTasks(ports),
    models: modelCalls({ ...ports, ...modelPorts(parts) }),
    quotas: peopled.quotas,
    ack,
    missing: own,
    drain: () => draining.abort(),
    stop: async () => {
      draining.abort();
      stopping.abort();
      await Promise.all([app.close(), stopQuotas()]);
      checkpoints.stop();
      storage.stop();
      servers.stop();
      await Promise.all([ends.stop(), database.stop(), who.stop()]);
    },
  };
}

const isEnding = { code: "SERVER_ENDING", message: "this server is about to end; others go on" };

/** What a spec that is well made is refused for, by what there is here. */
function refusals({
  config,
  nodes,
  takesCommands = false,
}: ControlPlaneParts): Pick<ApiPorts, "refuseMounts" | "refuseSinks" | "takesCommands" | "asksModel"> {
  const { sinkAllowPrivate, sinkPorts, sinkFiles } = config;
  const sinkRules = {
    outbound: { allowPrivate: sinkAllowPrivate, ports: sinkPorts },
    files: sinkFiles !== "",
  };
  return {
    takesCommands,
    asksModel: takesCommands && config.modelKey !== "",
    refuseMounts: (tenant, mounts) =>
      refuseMounts(
        mounts,
        [...nodes.registrations()].filter((node) => isUsableBy(tenant, node)),
      ),
    refuseSinks: (tenant, of) => refuseSinks(sinkRules, tenant, of),
  };
}

function modelPorts({ config, nats }: ControlPlaneParts) {
  const { modelKey: key, modelUrl: url, modelCallsMax: callsMax } = config;
  return {
    records: callRecords(() => nats.js.views.kv("model_calls", { bindOnly: true })),
    provider: key === "" ? null : { key, url, callsMax },
  };
}

function natsPorts({ nats, clock, feed }: ControlPlaneParts) {
  return {
    logs: createLogSource({ nats, clock }),
    dead: deadLettersOnNats(nats),
    subscribers: createSubscriberStore({ nats, kv: nats.js.views.kv("subscribers"), clock }),
    feed: createFeedSource({ nats, clock, shard: feed.shard }),
    hintNode: (node: string) => nats.connection.publish(subjects.control({ node })),
  };
}

function peoplePorts(
  { live, pool, clock, hostedBytes }: ControlPlaneParts,
  { tokens, people }: RunningPeople,
  servers: ServersHeard,
): Pick<ApiPorts, "tokens" | "people"> & { readonly quotas: Quotas & UploadQuota & FollowUpQuota } {
  const outputBytes = countStored(pool, clock.monotonicMs);
  const quotas = createQuotas({
    limits: people.limits,
    waiting: waitingTasks(live.tasks),
    servers: servers.count,
    storedBytes: async (tenant) => (await outputBytes(tenant)) + (hostedBytes?.(tenant) ?? 0),
    monotonicMs: clock.monotonicMs,
  });
  return { tokens, people, quotas };
}

async function ackInForce({ config, nats, pool, log }: ControlPlaneParts): Promise<AckMode> {
  const stream = await nats.jsm.streams.info(ledgerStream(DEFAULT_SHARD));
  // A Postgres that is away is taken for one that waits for its disk: the more careful answer.
  const postgresSyncs = await waitsForDisk(pool, config.tenant).catch(() => true);
  const ack = decideAck({
    setting: config.ack,
    postgresSyncs,
    natsReplicated: stream.config.num_replicas > 1,
  });
  log.info({ ack, setting: config.ack }, "what an acknowledged submit means");
  return ack;
}

function missing(of: {
  nats: Pick<Nats, "connected">;
  database: ApiPorts["database"];
  checkpoints: Pick<ApiPorts["checkpoints"], "trouble">;
  storage: ApiPorts["storage"];
}): Health["reasons"] {
  const reasons: Health["reasons"] = [];
  const [projector, full] = [of.checkpoints.trouble(), of.storage.full()];
  if (!of.nats.connected())
    reasons.push({ code: "NATS_UNAVAILABLE", message: "there is no connection to NATS" });
  if (!of.database.up()) reasons.push({ code: "DATABASE_UNAVAILABLE", message: "Postgres does not answer" });
  if (projector !== null) reasons.push({ code: "PROJECTOR_DOWN", message: projector });
  if (full !== null) reasons.push({ code: "STORAGE_FULL", message: full });
  return reasons;
}

function count(items: Iterable<unknown>): number {
  let number = 0;
  for (const _item of items) number++;
  return number;
}
