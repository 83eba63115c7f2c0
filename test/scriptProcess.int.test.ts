/**
 * What a script on a node asks the control plane: `process` as a task, and `model.call`. Real routes, real NATS, a script node
 * and a no-op node; a local server stands for the model's provider.
 */
import { randomUUID } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nodeRole } from "../deploy/compose/roles/node.ts";
import type { Ground } from "../deploy/compose/roles/role.ts";
import { schedulerRole } from "../deploy/compose/roles/scheduler.ts";
import { readAuditLog } from "../services/compartment/audit/readAuditLog.ts";
import { createAdmission } from "../services/control-plane/admission/admission.ts";
import { findArtifact } from "../services/control-plane/artifacts/readArtifact.ts";
import { type Artifacts, startArtifacts } from "../services/control-plane/artifacts/startArtifacts.ts";
import type { Identity } from "../services/control-plane/identity/identity.ts";
import { callRecords } from "../services/control-plane/model/callRecords.ts";
import { modelCalls } from "../services/control-plane/model/modelCalls.ts";
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

const MODEL_KEY = "the-key-of-the-provider";
/** What the provider answers next, by what it is asked; null: it hangs up. */
let provide: (input: string) => { readonly status?: number; readonly body: unknown } | null;
const provided: { readonly authorization: string | undefined; readonly body: string }[] = [];
let provider: Server;
let modelUrl: string;

beforeAll(async () => {
  provider = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    provided.push({ authorization: request.headers.authorization, body });
    const answer = provide(JSON.parse(body).input);
    if (answer === null) return void request.socket.destroy();
    response.writeHead(answer.status ?? 200, { "content-type": "application/json" });
    response.end(JSON.stringify(answer.body));
  });
  await new Promise<void>((resolve) => provider.listen(0, "127.0.0.1", resolve));
  modelUrl = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/v1/responses`;
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
  const models = modelCalls({
    ...ports,
    records: callRecords(() => nats.js.views.kv("model_calls", { bindOnly: true })),
    provider: { key: MODEL_KEY, url: modelUrl, callsMax: 3 },
  });
  artifacts = await startArtifacts({
    ...ground,
    identity,
    connections,
    children: () => children,
    models: () => models,
    bridgeGateway: null,
  });
  const { claimLimitMs, startLimitMs, stopGraceMs } = config;
  const stopTransitions = startTransitions({
    ...ground,
    identity,
    connections,
    artifactUrl: artifacts.url,
    modelUrl,
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
  provider?.close();
});

async function submit(
  source: string,
  more: { script?: object } & Record<string, unknown> = {},
): Promise<Key> {
  const script = { source, ...(more.script ?? { tools: ["process"], process_image: "cazi/none" }) };
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
async function ask(token: string, body: object, call = 0, what: "process" | "model" = "process") {
  const answer = await fetch(new URL(`${what}/${call}`, artifacts.url!), {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

/** Its node is gone, as the reactor would say. */
async function lose(key: Key): Promise<void> {
  const { fence } = await running(key.task);
  const at = Date.now();
  await ground.ledger.execute(key, { kind: "lose", id: randomUUID(), at, fence, jitter: 0 });
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

it("has other children in another attempt, and the first one's are cancelled with it, by the control plane alone too", async () => {
  const key = await submit('await callTool("process", { command: "sleep", args: ["60"] });', {
    max_retries: 1,
  });
  const first = await childOf(key);
  const token = (await identity.issue(key, await running(key.task)))!;
  const { body: orphan } = await ask(token, { command: ["sleep", "60"] }, 1);
  await running(first);
  await lose(key);
  for (const child of [first, orphan.id as string])
    expect(await ended(child)).toMatchObject({
      status: "cancelled",
      cancel: { who: { actor: `task:${key.task}`, accountable: "user:ada" } },
    });
  expect(await ask(token, { command: ["sh"] }, 2)).toMatchObject({ status: 401 });
  const second = derivedId("default", key.task, "process", 2, 0);
  expect(await running(second)).toMatchObject({ source: `process:${key.task}` });
  const at = Date.now();
  const who = { actor: "user:ada", accountable: null, route: "cli" };
  await ground.ledger.execute(key, { kind: "cancel", id: randomUUID(), at, who, reason: null });
  expect(await ended(key.task)).toMatchObject({ status: "cancelled", attempt: 2 });
  expect(await ended(second)).toMatchObject({ status: "cancelled" });
});

describe("model.call of a script on a node", () => {
  const says = (text: string) => ({
    body: { model: "m-1", output: [{ type: "message", content: [{ type: "output_text", text }] }] },
  });
  const asks = (input: string) => `
    try { emit(await callTool("model.call", { id: "q", model: "m", input: ${JSON.stringify(input)} })); }
    catch (error) { emit({ code: error.code, message: error.message }); }`;
  const run = async (source: string) => {
    const key = await submit(source, {
      script: { tools: ["model.call"] },
    });
    expect(await ended(key.task)).toMatchObject({ status: "succeeded" });
    return { key, records: await auditOf(key) };
  };
  const toldIn = (records: Record<string, unknown>[]) =>
    records.filter(({ type }) => type === "event").map(({ event }) => event);
  const recordOf = async ({ task }: Key, call = 0) =>
    (await (await ground.nats.js.views.kv("model_calls")).get(`default.${task}.1.${call}`))?.json();

  it("is asked by the control plane with its key, which is in no node; who, sizes and hashes are kept, and no word", async () => {
    provided.length = 0;
    provide = () => says(`hello, I was called with ${MODEL_KEY}`);
    const { key, records } = await run(asks("say hello"));
    expect(toldIn(records)).toEqual([
      { id: "q", model: "m-1", output_text: "hello, I was called with [REDACTED]", usage: null },
    ]);
    expect(provided).toEqual([
      { authorization: `Bearer ${MODEL_KEY}`, body: '{"model":"m","input":"say hello","store":false}' },
    ]);
    expect(records[0]).toMatchObject({
      named_network: {
        "model.call": { mode: "control_plane", endpoint: modelUrl, credential_mode: "control_plane" },
      },
    });
    const types = records.map(({ type }) => type);
    expect(types.indexOf("model_request")).toBeGreaterThan(types.indexOf("tool_call"));
    expect(types.indexOf("model_request")).toBeLessThan(types.indexOf("tool_result"));
    expect(JSON.stringify(records)).not.toContain(MODEL_KEY);
    const kept = await recordOf(key);
    expect(kept).toMatchObject({
      actor: "agent:fixer",
      accountable: "user:ada",
      endpoint: modelUrl,
      model: "m",
      request_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      outcome: { status: 200, answer_sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    expect(JSON.stringify(kept)).not.toContain("hello");
  });

  it("tells the program what the model refused, and once and for all what nobody knows the outcome of", async () => {
    provided.length = 0;
    provide = (input) =>
      input === "hang" ? null : { status: Number(input), body: { error: "s3cret words" } };
    const { key, records } = await run(`${asks("429")}${asks("500")}${asks("hang")}${asks("200")}`);
    expect(toldIn(records)).toMatchObject([
      { code: "NETWORK_LIMITED" },
      { code: "NETWORK_STATUS", message: expect.stringContaining("500") },
      { code: "MODEL_CALL_UNKNOWN", message: expect.stringContaining("MODEL_NO_ANSWER") },
      { code: "MODEL_CALL_REFUSED", message: expect.stringContaining("MODEL_CALLS_EXCEEDED") },
    ]);
    expect(provided).toHaveLength(3);
    expect(JSON.stringify(records)).not.toContain("s3cret");
    expect(await recordOf(key, 2)).toMatchObject({ outcome: { status: null } });
  });

  it("is made once for each number of an attempt, at the address that the run began with, for those who may", async () => {
    provided.length = 0;
    provide = () => says("x");
    const script = { tools: ["process", "model.call"], process_image: "cazi/none" };
    const source = 'await callTool("process", { command: "sleep", args: ["60"] });';
    const key = await submit(source, { script });
    const token = (await identity.issue(key, await running(key.task)))!;
    const question = { endpoint: modelUrl, model: "m", input: "i" };
    const call = (body: object, number = 0, by = token) => ask(by, body, number, "model");
    expect(await call(question)).toMatchObject({ status: 200, body: { status: 200 } });
    expect(await call(question)).toMatchObject({ status: 409, body: { code: "MODEL_OUTCOME_UNKNOWN" } });
    const both = await Promise.all([call(question, 1), call(question, 1)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 200]);
    expect(provided).toHaveLength(2);
    const refusals = [
      [await call({ ...question, input: "j" }), 422, "IDEMPOTENCY_KEY_REUSED"],
      [await call({ ...question, endpoint: "http://elsewhere.test" }, 2), 409, "MODEL_ENDPOINT_CHANGED"],
      [await call({ ...question, stream: true }, 2), 400, "REQUEST_INVALID"],
      [await call(question, 3), 403, "MODEL_CALLS_EXCEEDED"],
      [await call(question, 2, "nobody"), 401, "WORKLOAD_TOKEN_INVALID"],
    ] as const;
    for (const [answer, status, code] of refusals) expect(answer).toMatchObject({ status, body: { code } });
    const child = { tenant: "default", task: await childOf(key) };
    const ofChild = (await identity.issue(child, await running(child.task)))!;
    expect(await call(question, 0, ofChild)).toMatchObject({ body: { code: "MODEL_NOT_GRANTED" } });
    expect(provided).toHaveLength(2);
    const who = { actor: "user:ada", accountable: null, route: "cli" };
    const at = Date.now();
    await ground.ledger.execute(key, { kind: "cancel", id: randomUUID(), at, who, reason: null });
    await ended(key.task);
  });
});
