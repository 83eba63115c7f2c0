/** A script on a node whose `process` is a task of the control plane: real routes, real NATS, a script node and a no-op node. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { nodeRole } from "../deploy/compose/roles/node.ts";
import type { Ground } from "../deploy/compose/roles/role.ts";
import { schedulerRole } from "../deploy/compose/roles/scheduler.ts";
import { readAuditLog } from "../services/compartment/audit/readAuditLog.ts";
import { createAdmission } from "../services/control-plane/admission/admission.ts";
import { findArtifact } from "../services/control-plane/artifacts/readArtifact.ts";
import { type Artifacts, startArtifacts } from "../services/control-plane/artifacts/startArtifacts.ts";
import type { Identity } from "../services/control-plane/identity/identity.ts";
import { type ChildPorts, childTasks } from "../services/control-plane/process/childTasks.ts";
import { watchTaskEnds } from "../services/control-plane/tasks/taskEnds.ts";
import { startTransitions } from "../services/control-plane/transitions/startTransitions.ts";
import { isRefusal } from "../services/domain/refusal.ts";
import { readSpec } from "../services/domain/spec/readSpec.ts";
import { limitsOf } from "../services/domain/task/limitsOf.ts";
import { isLive, type PlacedTask } from "../services/domain/task/taskState.ts";
import { canonicalSpec } from "../services/kernel/canonicalSpec.ts";
import { Retryable } from "../services/kernel/errors.ts";
import { derivedId, newId } from "../services/kernel/ids.ts";
import { createLogSource } from "../services/kernel/logs/logSource.ts";
import { groundOnNats } from "./support/groundOnNats.ts";
import { identityOnNats } from "./support/identityOnNats.ts";
import { submitCommand } from "./support/ledgerOnNats.ts";
import { waitFor } from "./support/waitFor.ts";
import { withNats } from "./support/withNats.ts";

type Key = { readonly tenant: string; readonly task: string };

const server = withNats();
const stopping = new AbortController();
const stops: (() => Promise<unknown>)[] = [];
/** What the quotas say to the next commands. */
let full = false;
let ground: Ground;
let identity: Identity;
let artifacts: Artifacts;

beforeAll(async () => {
  ground = await groundOnNats(server, { CAZI_ARTIFACT_LISTEN: "127.0.0.1:0" });
  const of = await identityOnNats(ground);
  identity = of.identity;
  const { connections } = of;
  const { clock, config, feed, ledger, log, nats } = ground;
  const ends = await watchTaskEnds({ feed, log });
  const ports: ChildPorts = {
    clock,
    ledger,
    connections,
    ends,
    log,
    admission: createAdmission(
      { rateLimitToken: 0, rateLimitTenant: 0, rateLimitAuthFailures: 0 },
      clock.monotonicMs,
    ),
    quotas: {
      admitSubmit: async () => {
        if (full) throw new Retryable("QUOTA_EXCEEDED", "full", { fields: { retry_after_ms: 1_000 } });
        return () => undefined;
      },
      openFollow: () => () => undefined,
    },
    storage: { full: () => null },
    database: { up: () => true },
    checkpoints: { trouble: () => null, reached: async () => true, stop: () => undefined },
    ack: "published",
    ackWaitMs: 1_000,
    logs: createLogSource({ nats, clock }),
    newTraceparent: () => "",
    pendingReason: () => null,
    hintNode: () => undefined,
    stopping: stopping.signal,
  };
  const children = childTasks(ports);
  artifacts = await startArtifacts({
    ...ground,
    identity,
    connections,
    children: () => children,
    bridgeGateway: null,
  });
  const { claimLimitMs, startLimitMs, stopGraceMs } = config;
  const stopTransitions = startTransitions({
    ...ground,
    identity,
    connections,
    artifactUrl: artifacts.url,
    epoch: feed.epoch,
    random: Math.random,
    claimLimitMs,
    startLimitMs,
    stopGraceMs,
  });
  const scheduler = schedulerRole(ground);
  const nodeOf = (node: string, nodeRuntime: "compartment" | "noop") =>
    nodeRole({ ...ground, config: { ...config, node, nodeRuntime } }, newId(Date.now()));
  const nodes = await Promise.all([nodeOf("scripts", "compartment"), nodeOf("containers", "noop")]);
  stops.push(
    ...nodes.map((node) => () => node.stop()),
    () => scheduler.stop(),
    stopTransitions,
    () => ends.stop(),
    async () => identity.stop(),
  );
});
afterAll(async () => {
  stopping.abort();
  await Promise.all(stops.map((stop) => stop()));
  await artifacts?.stop();
  await ground?.stop();
});

async function submit(
  source: string,
  more: { script?: object } & Record<string, unknown> = {},
): Promise<Key> {
  const script = { source, tools: ["process"], process_image: "cazi/none", ...more.script };
  const read = readSpec({ timeout_seconds: 20, ...more, script });
  if (isRefusal(read)) throw new Error(read.message);
  const key = { tenant: "default", task: newId(Date.now()) };
  const who = { actor: "agent:fixer", accountable: "user:ada", route: "mcp" };
  const command = submitCommand(canonicalSpec(read.spec).json);
  await ground.ledger.execute(key, { ...command, id: randomUUID(), who, limits: limitsOf(read.spec) });
  return key;
}

async function ended(task: string): Promise<PlacedTask> {
  await waitFor(`task ${task} to end`, () => ground.live.tasks.hasEnded(task), { deadlineMs: 30_000 });
  return (await ground.ledger.load({ tenant: "default", task })).state as PlacedTask;
}

async function auditOf(key: Key) {
  const { object } = await findArtifact(artifacts.reads, key, "agent-audit.jsonl");
  const pieces: Uint8Array[] = [];
  for await (const piece of artifacts.reads.store.read(object, 0)) pieces.push(piece);
  const read = readAuditLog(Buffer.concat(pieces).toString());
  if (read.state === "refused") throw new Error(read.why);
  return read.records as unknown as Record<string, unknown>[];
}

/** The one child of a task, once it is there. */
const childOf = ({ task }: Key) =>
  waitFor(`a child of ${task}`, async () => {
    const id = derivedId("default", task, "process", 1, 0);
    return isLive((await ground.ledger.load({ tenant: "default", task: id })).state) ? id : null;
  });

const running = (task: string) =>
  waitFor(`${task} to run`, async () => {
    const { state } = await ground.ledger.load({ tenant: "default", task });
    return state.status === "running" ? state : null;
  });

/** As a node or a container would. */
async function ask(token: string, body: object, call = 0) {
  const answer = await fetch(new URL(`process/${call}`, artifacts.url!), {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

const childrenIn = (records: Record<string, unknown>[]) =>
  records.filter(({ type }) => type === "process_task").map(({ call, task }) => ({ call, task }));

it("runs commands of a script as tasks of its own person, with id and outcome in the audit log", async () => {
  const key = await submit(`
    for (const args of [["a"], ["b"]]) await callTool("process", { command: "say", args });`);
  expect(await ended(key.task)).toMatchObject({ status: "succeeded", message: expect.any(String) });
  const records = await auditOf(key);
  const known = childrenIn(records);
  expect(known).toMatchObject([{ call: 0 }, { call: 0 }, { call: 1 }, { call: 1 }]);
  const ids = [known[1]!.task, known[3]!.task] as string[];
  expect(new Set(ids).size).toBe(2);
  expect(records.filter(({ type }) => type === "tool_result")).toMatchObject(
    ids.map((task) => ({ result: { task, status: "succeeded", code: 0 } })),
  );
  const child = await ended(ids[1]!);
  expect(child).toMatchObject({
    source: `process:${key.task}`,
    who: { actor: "agent:fixer", accountable: "user:ada", route: "script" },
  });
  expect(child.limits.timeout_ms).toBeLessThanOrEqual(20_000);
  const first = await ground.ledger.first({ tenant: "default", task: ids[1]! });
  expect(JSON.parse((first!.body as { spec: string }).spec)).toMatchObject({
    image: "cazi/none",
    command: ["say", "b"],
    network: "none",
  });
});

it("is the same child when a call is asked for again, deeper for nobody, and cancelled with its parent", async () => {
  const key = await submit('await callTool("process", { command: "sleep", args: ["60"] });');
  const child = { tenant: "default", task: await childOf(key) };
  const parentToken = (await identity.issue(key, await running(key.task)))!;
  const again = await ask(parentToken, { command: ["sleep", "60"] });
  expect(again).toMatchObject({ status: 202, body: { id: child.task } });
  const other = await ask(parentToken, { command: ["sleep", "61"] });
  expect(other).toMatchObject({ body: { code: "IDEMPOTENCY_KEY_REUSED" } });
  const childToken = (await identity.issue(child, await running(child.task)))!;
  const deeper = await ask(childToken, { command: ["sh"] });
  expect(deeper).toMatchObject({ status: 403, body: { code: "PROCESS_NOT_GRANTED" } });
  expect(await ask("nobody", { command: ["sh"] })).toMatchObject({ status: 401 });

  // Of a call that its node knows nothing of: the control plane alone ends it.
  const { body: orphan } = await ask(parentToken, { command: ["sleep", "60"] }, 1);

  const at = Date.now();
  const who = { actor: "user:ada", accountable: null, route: "cli" };
  await ground.ledger.execute(key, { kind: "cancel", id: randomUUID(), at, who, reason: null });
  expect(await ended(key.task)).toMatchObject({ status: "cancelled" });
  expect(await ended(child.task)).toMatchObject({
    status: "cancelled",
    cancel: { who: { actor: `task:${key.task}`, accountable: "user:ada" } },
  });
  expect(await ended(orphan.id as string)).toMatchObject({
    status: "cancelled",
    started_at: expect.any(Number),
  });
  expect(await ask(parentToken, { command: ["sh"] }, 2)).toMatchObject({ status: 401 });
});

it("tells the program by name that a quota is full, and that no command ran", async () => {
  full = true;
  const key = await submit(`
    try { await callTool("process", { command: "say" }); }
    catch (error) { throw new Error(error.code + " " + error.message); }`);
  const state = await ended(key.task);
  full = false;
  expect(state).toMatchObject({ status: "failed", exit_code: 1 });
  expect(state.message).toContain("PROCESS_TASK_REFUSED");
  expect(state.message).toContain("QUOTA_EXCEEDED");
  expect(childrenIn(await auditOf(key))).toEqual([{ call: 0 }]);
});
