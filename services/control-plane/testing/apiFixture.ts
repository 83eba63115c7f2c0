/** The API over parts in memory. */
import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import type { Node } from "../../../schemas/api/node.ts";
import { isLive } from "../../domain/task/taskState.ts";
import { createConnectionStore } from "../../kernel/connections/connectionStore.ts";
import { newId } from "../../kernel/ids.ts";
import type { LogChunk, LogFilter, LogSource } from "../../kernel/logs/logSource.ts";
import { noMeter } from "../../kernel/metrics/metrics.ts";
import { openMasterKey } from "../../kernel/sealing/masterKey.ts";
import { memoryKv } from "../../kernel/testing/memoryKv.ts";
import { noTracer } from "../../kernel/tracing/tracer.ts";
import { createAdmission } from "../admission/admission.ts";
import { buildApp } from "../buildApp.ts";
import { oneTokenVerifier } from "../http/authenticate.ts";
import { openIdentity } from "../identity/identity.ts";
import type { ApiPorts } from "../ports.ts";
import { taskFromLedger } from "../tasks/taskFromLedger.ts";
import { memoryArtifacts } from "./memoryArtifacts.ts";
import { memoryDeadLetters } from "./memoryDeadLetters.ts";
import { memoryFeed } from "./memoryFeed.ts";
import { createMemoryLedger, type MemoryLedger } from "./memoryLedger.ts";
import { memoryPeople } from "./memoryPeople.ts";

export const testToken = "cazi_test-token";
export const testTenant = "acme";
const noLimits = { rateLimitToken: 0, rateLimitTenant: 0, rateLimitAuthFailures: 0 };
export const testEpoch = "2026-01-01T00:00:00Z";

/** Of every task that is submitted without one. */
export const testTraceparent = "00-11111111111111111111111111111111-2222222222222222-01";

const testMaster = openMasterKey("a master key that is used in tests alone");
export const testIdentity = {
  issuer: () => "http://localhost:7070",
  audiences: [],
  startLimitMs: 1_000,
  stopGraceMs: 1_000,
  timing: { leadMs: 900_000, retainMs: 600_000_000 },
  rotateAfterMs: 0,
};

/** A chunk in LOGS; without a task it is any task's. */
type StoredChunk = Omit<LogChunk, "pending" | "seq"> & { readonly task?: string };

export interface ApiFixture {
  readonly app: FastifyInstance;
  readonly ledger: MemoryLedger;
  /** What LOGS holds; pushing to it is storing. */
  readonly chunks: StoredChunk[];
  /** Nodes that were told to look again. */
  readonly hints: string[];
  /** Lines of the log. */
  readonly logged: Record<string, unknown>[];
  readonly stopping: AbortController;
  /** A request with the token, and a JSON answer. */
  ask(method: "GET" | "POST" | "PUT" | "DELETE", url: string, options?: AskOptions): Promise<Answer>;
  /** Brings a submitted task to its end as a node would. */
  run(task: string, outcome?: { exit_code?: number; stdout?: number; dropped?: number }): Promise<void>;
}

export interface AskOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came
  readonly json: any;
  readonly raw: Buffer;
}

export async function apiFixture(change: Partial<ApiPorts> = {}): Promise<ApiFixture> {
  const ledger = createMemoryLedger();
  const chunks: StoredChunk[] = [];
  const hints: string[] = [];
  const logged: Record<string, unknown>[] = [];
  const stopping = new AbortController();
  const serializers = { error: pino.stdSerializers.err };
  const log = pino(
    { level: "debug", serializers },
    { write: (line: string) => void logged.push(JSON.parse(line)) },
  );
  const clock = { now: () => Date.now(), monotonicMs: () => performance.now() };
  const ports: ApiPorts = {
    clock,
    log,
    identity:
      change.identity ??
      (await openIdentity({ kv: memoryKv(), ledger, master: testMaster, clock, log }, testIdentity)),
    connections: createConnectionStore({ kv: memoryKv(), master: testMaster, clock }),
    admission: createAdmission(noLimits, () => performance.now()),
    people: memoryPeople(testTenant),
    quotas: { admitSubmit: async () => () => undefined, openFollow: () => () => undefined },
    tokens: oneTokenVerifier({
      token: testToken,
      principal: { tenant: testTenant, actor: "user:admin", role: "admin", installation: true },
    }),
    ledger,
    reads: memoryReads(ledger),
    ends: memoryEnds(ledger),
    checkpoints: { trouble: () => null, reached: async () => true, stop: () => undefined },
    epoch: testEpoch,
    ack: "published",
    ackWaitMs: 1_000,
    logs: memoryLogs(chunks),
    dead: memoryDeadLetters(),
    feed: memoryFeed([]).source,
    artifacts: memoryArtifacts(ledger),
    subscribers: noSubscribers,
    nodes: () => [testNode("b"), testNode("a"), testNode("c")],
    fleet: { change: async () => Promise.reject(new Error("this test changes no node")) },
    pendingReason: () => ({ message: "no node is registered", nodes: [], more_nodes: 0, ahead: null }),
    refuseMounts: () => null,
    refuseSinks: () => null,
    takesCommands: true,
    asksModel: false,
    storage: { full: () => null },
    hintNode: (node) => hints.push(node),
    database: { up: () => true },
    metrics: { ...noMeter, text: async () => "", access: "open" },
    tracer: noTracer,
    newTraceparent: () => testTraceparent,
    mcp: null,
    unready: () => [],
    hosts: [],
    stopping: stopping.signal,
    draining: stopping.signal,
    ...change,
  };
  const app = await buildApp(ports);
  return {
    app,
    ledger,
    chunks,
    hints,
    logged,
    stopping,
    ask: asker(app),
    run: (task, outcome) => runTask(ledger, task, outcome),
  };
}

const noSubscribers: ApiPorts["subscribers"] = {
  list: async () => [],
  get: async () => null,
  put: async () => Promise.reject(new Error("this test adds no subscriber")),
  remove: async () => null,
  endAll: async () => undefined,
  ensureAll: async () => undefined,
};

function memoryReads(ledger: MemoryLedger): ApiPorts["reads"] {
  const specOf = (body: object) => JSON.parse((body as { spec: string }).spec);
  const taskOf = ({ tenant, task, body }: MemoryLedger["events"][number]) => {
    const { state } = ledger.events.findLast((one) => one.tenant === tenant && one.task === task)!;
    return taskFromLedger({ key: { tenant, task }, state, spec: specOf(body), attempts: [], artifacts: [] });
  };
  const listed = (tenant: string) =>
    ledger.events.filter((one) => one.tenant === tenant && "spec" in one.body).map(taskOf);
  const selected = (tenant: string, of: { action: string; filter: { name?: string | undefined } }) =>
    listed(tenant).filter(
      (one) => one.name === of.filter.name && (of.action === "cancel") === (one.finished_at === null),
    );
  return {
    findTask: async () => null,
    listTasks: async (tenant) => ({ data: listed(tenant), next_cursor: null }),
    previewSelection: async (tenant, of) => {
      const tasks = selected(tenant, of);
      return { seq: ledger.events.length, count: tasks.length, tasks };
    },
    selectionPage: async (tenant, of) => ({ data: selected(tenant, of), next_cursor: null }),
    listAttempts: async () => ({ data: [], next_cursor: null }),
    listTaskEvents: async () => ({ data: [], next_cursor: null }),
  };
}

function asker(app: FastifyInstance): ApiFixture["ask"] {
  return async (method, url, options = {}) => {
    const answer = await app.inject({
      method,
      url,
      headers: { host: "localhost:7070", authorization: `Bearer ${testToken}`, ...options.headers },
      ...(options.body === undefined ? {} : { payload: options.body }),
    });
    const json = /json/.test(String(answer.headers["content-type"])) ? answer.json() : null;
    return { status: answer.statusCode, headers: answer.headers, json, raw: answer.rawPayload };
  };
}

function memoryEnds(ledger: MemoryLedger): ApiPorts["ends"] {
  return {
    ended: (task, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve();
        signal.addEventListener("abort", () => resolve());
        ledger.onAppend((event) => event.task === task && !isLive(event.state) && resolve());
      }),
    stop: async () => undefined,
  };
}

function memoryLogs(chunks: readonly StoredChunk[]): LogSource {
  const matching = (filter: LogFilter, startSeq = 1) =>
    chunks
      .map((one, index) => ({ ...one, seq: index + 1 }))
      .filter((one) => one.seq >= startSeq)
      .filter(
        (one) =>
          (one.task === undefined || one.task === filter.task) &&
          (filter.attempt === null || one.attempt === filter.attempt) &&
          (filter.stream === null || one.stream === filter.stream) &&
          (!filter.node || one.node === filter.node),
      )
      .map((one) => ({ ...one, pending: 0 }));
  return {
    read: async (filter, startSeq) => {
      const stored = matching(filter, startSeq);
      return {
        pending: stored.length,
        chunks: (async function* () {
          for (const [index, one] of stored.entries()) yield { ...one, pending: stored.length - index - 1 };
        })(),
      };
    },
    last: async (filter) => matching(filter).at(-1) ?? null,
    next: async (filter, seq) => matching(filter, seq)[0] ?? null,
    count: async (filter, seq) => matching(filter, seq).length,
    follow: async (filter, startSeq, signal) => ({
      pending: matching(filter, startSeq).length,
      chunks: (async function* () {
        let next = 0;
        while (!signal.aborted) {
          const stored = matching(filter, startSeq);
          while (next < stored.length) yield { ...stored[next++]!, pending: stored.length - next };
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
      })(),
    }),
  };
}

async function runTask(
  ledger: MemoryLedger,
  task: string,
  outcome: { exit_code?: number; stdout?: number; dropped?: number } = {},
): Promise<void> {
  const key = { tenant: testTenant, task };
  const now = Date.now();
  await ledger.execute(key, { kind: "schedule", node: "n1", id: newId(now), at: now });
  const { state } = await ledger.load(key);
  if (!("fence" in state) || state.fence === null) throw new Error(`the task is ${state.status}`);
  const { fence, attempt } = state;
  await ledger.execute(key, { kind: "grant", node: "n1", fence, attempt, id: newId(now), at: now });
  const { exit_code = 0, stdout = 0, dropped = 0 } = outcome;
  await ledger.execute(key, {
    kind: "report",
    id: newId(now),
    at: now,
    jitter: 0,
    report: {
      ...key,
      node: "n1",
      fence,
      attempt,
      revision: 1,
      image: { ref: "cazi/toolbox:latest", repo_digest: null, image_id: "sha256:abc" },
      pull: null,
      not_started: null,
      started_at: now,
      ended: {
        exit_code,
        signal: null,
        oom_killed: false,
        stopped_by: null,
        failure: null,
        finished_at: now,
        message: null,
      },
      logs: { stdout: { stored: stdout, dropped }, stderr: { stored: 0, dropped: 0 } },
    },
  });
}

export function testNode(name: string): Node {
  return {
    name,
    status: "online",
    runtime: "noop",
    labels: {},
    tags: [],
    slots: 1,
    running: 0,
    cpus: 1,
    memory_bytes: 1,
    script_tools: null,
    offered: { cpus: 1, memory_bytes: 1 },
    declared: { cpus: 0, memory_bytes: 0 },
    mounts: [],
    networks: ["none"],
    engine: null,
    unavailable: null,
    state: "active",
    tenants: null,
    clipped: [],
    bounds: null,
    account: null,
    registered_at: "2026-01-01T00:00:00.000Z",
    last_seen_at: null,
  };
}
