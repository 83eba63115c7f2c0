/** Standalone nodes, each in an account of its own: they work there, and whoever holds such an account can do no more. */
import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  type Account,
  createAccount,
  createUser,
  decode,
  encodeAccount,
  encodeUser,
  fmtCreds,
  fromSeed,
} from "@nats-io/jwt";
import { connect, createInbox, credsAuthenticator, headers, type NatsConnection } from "nats";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { announce, documentOf, ensureExports } from "../deploy/accounts/announce.ts";
import { makeNodeAccount, nodeAccountName, nodeClaims } from "../deploy/accounts/nodeAccount.ts";
import { makeRevocation } from "../deploy/accounts/outsideAccount.ts";
import { reactorRole } from "../deploy/compose/roles/reactor.ts";
import type { Ground } from "../deploy/compose/roles/role.ts";
import { schedulerRole } from "../deploy/compose/roles/scheduler.ts";
import { createFleet, type Fleet } from "../services/control-plane/nodes/fleet.ts";
import { startTransitions } from "../services/control-plane/transitions/startTransitions.ts";
import { isRefusal } from "../services/domain/refusal.ts";
import { readSpec } from "../services/domain/spec/readSpec.ts";
import { isPlaced } from "../services/domain/task/taskState.ts";
import { canonicalSpec } from "../services/kernel/canonicalSpec.ts";
import { newId } from "../services/kernel/ids.ts";
import { connectNats, type Nats } from "../services/kernel/nats/connectNats.ts";
import { credentialFacts } from "../services/kernel/nats/readCredentials.ts";
import { type RunningNodeAgent, startNodeAgent } from "../services/node-agent/main.ts";
import { importedApiPrefix } from "../streams/accounts.ts";
import { filters, subjects } from "../streams/subjects.ts";
import { groundOnNats } from "./support/groundOnNats.ts";
import { identityOnNats } from "./support/identityOnNats.ts";
import { submitCommand } from "./support/ledgerOnNats.ts";
import { type TempHome, tempHome } from "./support/tempHome.ts";
import { waitFor } from "./support/waitFor.ts";
import { withNats } from "./support/withNats.ts";

const server = withNats();
const bounds = {
  labels: {},
  tags: ["own"],
  tenants: ["default"],
  slots: 1,
  networks: ["bridge"],
  mounts: [],
};
let home: TempHome;
let ground: Ground;
let fleet: Fleet;
let system: NatsConnection;
let operatorSeed: string;
let servicesAccount: string;
/** Of node a's account, without the rights that bound its ordinary user: the account alone must hold. */
let intruder: NatsConnection;
let account: string;
const agents: Record<string, { agent: RunningNodeAgent; nats: Nats }> = {};
const stops: (() => Promise<unknown>)[] = [];

const connectWith = (creds: Uint8Array) =>
  connect({ servers: server.url, authenticator: credsAuthenticator(creds), reconnect: false });
const lastSeqs = async (...names: string[]) =>
  Promise.all(names.map(async (name) => (await ground.nats.jsm.streams.info(name)).state.last_seq));
const STORES = ["LEDGER_0", "EVENTS_0", "CLAIMS", "REPORTS", "LOGS", "KV_nodes", "KV_fleet", "KV_leases"];
const inLedger = subjects.ledger({ tenant: "default", kind: "task", id: "forged" });
const api = (rest: string) => `${importedApiPrefix}.${rest}`;

beforeAll(async () => {
  home = tempHome();
  ground = await groundOnNats(server, { CAZI_CLAIM_LIMIT_SECONDS: "1" });
  const { claimLimitMs, startLimitMs, stopGraceMs } = ground.config;
  const secrets = await identityOnNats(ground);
  const times = { claimLimitMs, startLimitMs, stopGraceMs };
  const stopTransitions = startTransitions({
    ...ground,
    ...times,
    ...secrets,
    epoch: ground.feed.epoch,
    random: Math.random,
  });
  const roles = [schedulerRole(ground), reactorRole(ground)];
  stops.push(...roles.map((role) => () => role.stop()), stopTransitions);
  const runningOn = (node: string) => ground.live.tasks.countOn(node);
  const { nats, nodes, clock, log } = ground;
  fleet = createFleet({ nats, nodes, runningOn, clock, log });
  operatorSeed = readFileSync(join(dirname(server.credsFile), "operator.nk"), "utf8");
  servicesAccount = credentialFacts(server.credsFile).account;
  system = await connectWith(readFileSync(server.systemCredsFile));
  await forgetExports();
  await ensureExports(system, { servicesAccount, operatorSeed });
  const [a, b] = [await accountOfA(), await makeNodeAccount({ node: "b", servicesAccount, operatorSeed })];
  account = a.account;
  for (const [node, made] of Object.entries({ a, b })) {
    await fleet.change(node, { kind: "declare", bounds, account: made.account }, "user:admin");
    await announce(system, made.document);
    agents[node] = await startAgent(node, made.creds);
  }
  intruder = await connectWith(a.intruder);
});
afterAll(async () => {
  for (const { agent, nats } of Object.values(agents)) {
    await agent.stop();
    await nats.connection.close();
  }
  await Promise.all([intruder?.close(), system?.close()]);
  for (const stop of stops) await stop();
  await ground?.stop();
  home?.remove();
});

/** As on a NATS server of somebody else's, where the services' account knows nothing of nodes. */
async function forgetExports() {
  const { name, nats } = decode<Account>((await documentOf(system, servicesAccount))!);
  const signer = fromSeed(new TextEncoder().encode(operatorSeed));
  await announce(system, await encodeAccount(name, servicesAccount, { ...nats, exports: [] }, { signer }));
}

/** As `makeNodeAccount`, but its key is kept for a user without bounds. */
async function accountOfA() {
  const key = createAccount();
  const signer = fromSeed(new TextEncoder().encode(operatorSeed));
  const document = await encodeAccount("node-a", key, nodeClaims({ node: "a", servicesAccount }), { signer });
  const credsOf = async (name: string) => {
    const user = createUser();
    return fmtCreds(await encodeUser(name, user, key), user);
  };
  return {
    account: key.getPublicKey(),
    document,
    creds: await credsOf("a"),
    intruder: await credsOf("intruder"),
  };
}

async function startAgent(node: string, creds: Uint8Array) {
  const credsFile = join(home.path, `${node}.creds`);
  writeFileSync(credsFile, creds);
  const nats = await connectNats({
    url: server.url,
    credsFile,
    apiPrefix: importedApiPrefix,
    name: node,
    firstWaitMs: 5_000,
  });
  const config = {
    ...ground.config,
    home: join(home.path, node),
    node,
    nodeRuntime: "noop" as const,
    nodeTags: ["own", "gpu"],
    nodeSlots: node === "a" ? 64 : 1,
  };
  const agent = await startNodeAgent({ ...ground, config, nats, instance: `test-${node}` });
  return { agent, nats };
}

async function submit(command: readonly string[], node: string, tenant = "default") {
  const read = readSpec({ image: "cazi/toolbox:latest", command, selector: { node } });
  if (isRefusal(read)) throw new Error(read.message);
  const key = { tenant, task: newId(Date.now()) };
  await ground.ledger.execute(key, { ...submitCommand(canonicalSpec(read.spec).json), id: randomUUID() });
  return key;
}

async function ended(key: { tenant: string; task: string }) {
  await waitFor(`task ${key.task} to end`, () => ground.live.tasks.hasEnded(key.task), {
    deadlineMs: 20_000,
  });
  return (await ground.ledger.load(key)).state;
}

const known = (node: string) => [...ground.nodes.registrations()].find((one) => one.node === node);

describe("a standalone node", () => {
  it("runs a task in an account of its own, and stores its output", async () => {
    const key = await submit(["echo", "hi"], "a");
    expect(await ended(key)).toMatchObject({ status: "succeeded", node: "a", attempt: 1 });
    const log = subjects.log({ node: "a", task: key.task, attempt: 1, stream: "stdout" });
    const stored = await ground.nats.jsm.streams.getMessage("LOGS", { last_by_subj: log });
    expect(stored.string()).toBe("hi\n");
    const asked = JSON.stringify({ node: "a", task: key.task, attempt: 1, stream: "stdout" });
    const answer = await agents.a!.nats.connection.request(subjects.logOffset({ node: "a" }), asked);
    expect(answer.json()).toEqual({ stored: 3 });
  });

  it("is taken for what is declared, whatever it registers", async () => {
    expect(known("a")).toMatchObject({
      slots: 1,
      tags: ["own"],
      networks: ["bridge"],
      tenants: ["default"],
      clipped: [
        "tag gpu is not declared",
        "network none is not declared",
        "64 slots are more than the 1 declared",
      ],
    });
    await fleet.change(
      "b",
      { kind: "declare", bounds: { ...bounds, tags: ["own", "gpu"] }, account: null },
      "x",
    );
    expect(known("b")?.tags).toEqual(["own", "gpu"]);
  });

  it("gets nothing new while it is cordoned, goes on with what runs, and gets the rest afterwards", async () => {
    const first = await submit(["sleep", "1"], "b");
    await waitFor(
      "it to be granted",
      async () => (await ground.ledger.load(first)).state.status === "claimed",
    );
    await fleet.change("b", { kind: "state", state: "draining" }, "user:admin");
    await expect(fleet.change("b", { kind: "remove", force: false }, "user:admin")).rejects.toMatchObject({
      code: "NODE_BUSY",
    });
    const second = await submit(["echo", "hi"], "b");
    expect(await ended(first)).toMatchObject({ status: "succeeded" });
    expect((await ground.ledger.load(second)).state).toMatchObject({ status: "pending", attempt: 0 });
    await fleet.change("b", { kind: "state", state: "active" }, "user:admin");
    expect(await ended(second)).toMatchObject({ status: "succeeded" });
  });

  it("is refused an attempt of a tenant that it is not declared for, and no retry is used", async () => {
    const key = await submit(["echo", "hi"], "b", "other");
    expect(await offer(key, "b")).not.toBe("");
    await waitFor("the offer to be returned", async () => {
      const { state } = await ground.ledger.load(key);
      return state.status === "pending" && state.attempt === 1;
    });
    const history = await ground.nats.jsm.streams.getMessage("LEDGER_0", {
      last_by_subj: subjects.ledger({ tenant: "other", kind: "task", id: key.task }),
    });
    expect(history.string()).toContain("not declared for this tenant");
  });

  it("that is offered more than it has slots for takes them one after the other, and no retry is used", async () => {
    // Of a node that is not there: whoever offers them, it is not our own scheduler.
    const keys = await Promise.all([1, 2, 3].map(() => submit(["sleep", "0.2"], "nowhere")));
    for (const key of keys) expect(await offer(key, "b")).not.toBe("");
    for (const key of keys)
      expect(await ended(key)).toMatchObject({ status: "succeeded", node: "b", attempt: 1 });
  });
});

/** What a scheduler does that knows no bounds. @returns the fence */
async function offer(key: { tenant: string; task: string }, node: string): Promise<string> {
  const at = Date.now();
  const done = await ground.ledger.execute(key, { kind: "schedule", at, id: newId(at), node });
  if (isRefusal(done) || !isPlaced(done.state)) return "";
  const { attempt, fence } = done.state;
  await ground.nats.js.publish(
    subjects.claim({ node, task: key.task }),
    JSON.stringify({ ...key, attempt, fence }),
  );
  return fence;
}

describe("whoever holds a node's account", () => {
  it("cannot name a subject of the services as the reply to what it may say and ask", async () => {
    const before = await lastSeqs("LEDGER_0", "EVENTS_0", "KV_fleet", "KV_leases");
    const said = [
      subjects.report({ node: "a", task: "t" }),
      subjects.log({ node: "a", task: "t", attempt: 1, stream: "stdout" }),
      subjects.heartbeat({ node: "a" }),
      subjects.grant({ node: "a" }),
      subjects.beat({ node: "a" }),
      subjects.register({ node: "a" }),
      subjects.logOffset({ node: "a" }),
      api("CONSUMER.MSG.NEXT.CLAIMS.a"),
      api("CONSUMER.INFO.CLAIMS.a"),
      "$JS.ACK.CLAIMS.a.1.1.1.1.0",
    ];
    // In its own account the name is a name like any other: the answers come there.
    const own: string[] = [];
    intruder.subscribe(inLedger, { callback: (_error, message) => void own.push(message.string()) });
    for (const reply of [inLedger, subjects.grant({ node: "b" }), "$KV.fleet.a", "$KV.leases.scheduler.0"]) {
      for (const subject of said) intruder.publish(subject, "{}", { reply });
    }
    await intruder.flush();
    await waitFor("the store's own answers", () => own.filter((one) => one.includes('"stream"')).length >= 3);
    expect(await lastSeqs("LEDGER_0", "EVENTS_0", "KV_fleet", "KV_leases")).toSatisfy((after: number[]) =>
      // The services renew their own leases meanwhile.
      after.slice(0, 3).every((seq, index) => seq === before[index]),
    );
    await expect(
      ground.nats.jsm.streams.getMessage("LEDGER_0", { last_by_subj: inLedger }),
    ).rejects.toMatchObject({ api_error: { code: 404 } });
  });

  it("reaches nothing of another node, nor of the services", async () => {
    const b = { node: "b", task: "t" };
    const subjectsOfOthers = [
      subjects.report(b),
      subjects.log({ ...b, attempt: 1, stream: "stdout" }),
      subjects.claim(b),
      subjects.claim({ node: "a", task: "t" }),
      subjects.grant(b),
      subjects.beat(b),
      subjects.register(b),
      subjects.logOffset(b),
      subjects.heartbeat(b),
      subjects.control(b),
      subjects.guard({ shard: 0 }),
      inLedger,
      "$KV.nodes.a",
      "$KV.fleet.a",
      api("CONSUMER.MSG.NEXT.CLAIMS.b"),
      api("CONSUMER.INFO.CLAIMS.b"),
      "$JS.ACK.CLAIMS.b.1.1.1.1.0",
      "$JS.ACK.REPORTS.transitions.1.1.1.1.0",
      "$SYS.REQ.CLAIMS.UPDATE",
    ];
    const hints: string[] = [];
    const heard = ground.nats.connection.subscribe(filters.deadLetters.replace("dead", "control"), {
      callback: (_error, message) => void hints.push(message.subject),
    });
    const before = await lastSeqs(...STORES.slice(0, 7));
    const body = JSON.stringify({
      ...b,
      tenant: "default",
      attempt: 1,
      fence: "f",
      observed: [],
      stream: "stdout",
    });
    const answers = await Promise.all(
      subjectsOfOthers.map((subject) =>
        intruder.request(subject, body, { timeout: 700, noMux: true }).then(
          (message) => `${subject}: ${message.string()}`,
          () => null,
        ),
      ),
    );
    expect(answers.filter((one) => one !== null)).toEqual([]);
    expect(await lastSeqs(...STORES.slice(0, 7))).toEqual(before);
    expect(hints).toEqual([]);
    heard.unsubscribe();
  });

  it("cannot make, read, change or empty a stream, a bucket or a consumer", async () => {
    const requests = [
      "STREAM.NAMES",
      "STREAM.CREATE.MINE",
      ...["LEDGER_0", "LOGS", "CLAIMS", "KV_keys", "KV_connections"].flatMap((stream) => [
        `STREAM.INFO.${stream}`,
        `STREAM.MSG.GET.${stream}`,
        `STREAM.MSG.DELETE.${stream}`,
        `STREAM.PURGE.${stream}`,
        `STREAM.DELETE.${stream}`,
        `CONSUMER.CREATE.${stream}`,
      ]),
      "CONSUMER.DURABLE.CREATE.CLAIMS.a",
      "CONSUMER.DELETE.CLAIMS.a",
      "CONSUMER.MSG.NEXT.REPORTS.transitions",
    ];
    const config = { deliver_subject: inLedger, ack_policy: "none", deliver_policy: "all" };
    // Fitting: servers from 2.12 on read a question strictly before they ask who may put it.
    const bodyOf = (subject: string) => {
      if (subject.includes("CONSUMER.CREATE") || subject.includes("CONSUMER.DURABLE"))
        return { stream_name: /CREATE\.(\w+)/.exec(subject)![1], config };
      if (subject.includes("MSG.NEXT")) return { batch: 1 };
      return subject.includes(".MSG.") ? { seq: 1 } : { name: "MINE", subjects: ["x"] };
    };
    const before = await lastSeqs(...STORES.slice(0, 7));
    const answers = await Promise.all(
      requests
        .flatMap((rest) => [api(rest), `$JS.API.${rest}`])
        .map((subject) =>
          intruder.request(subject, JSON.stringify(bodyOf(subject)), { timeout: 700, noMux: true }).then(
            (message) => message.string(),
            () => "no answer",
          ),
        ),
    );
    // 10039: JetStream is not enabled for this account.
    expect(answers.filter((one) => one !== "no answer" && !/"err_code":10039\b/.test(one))).toEqual([]);
    expect(await lastSeqs(...STORES.slice(0, 7))).toEqual(before);
  });

  it("cannot remove others' signs of life with its own, nor swallow their output with a message id", async () => {
    const rollup = headers();
    rollup.set("Nats-Rollup", "all");
    const heartbeat = subjects.heartbeat({ node: "a" });
    const answer = await intruder.request(heartbeat, "{}", { headers: rollup, timeout: 1_000 });
    expect(answer.json()).toMatchObject({ error: { description: expect.stringMatching(/rollup/i) } });
    const log = subjects.log({ node: "a", task: "t", attempt: 1, stream: "stdout" });
    rollup.set("Nats-Rollup", "sub");
    const stored = await intruder.request(log, "{}", { headers: rollup, timeout: 1_000 });
    expect(stored.json()).toMatchObject({ error: { description: expect.stringMatching(/rollup/i) } });
  });

  it("cannot say it is another, in what it registers or asks", async () => {
    const ask = (subject: string, body: object) =>
      intruder.request(subject, JSON.stringify(body), { timeout: 700 }).then(
        (message) => message.json(),
        () => null,
      );
    const b = known("b")!;
    expect(await ask(subjects.register({ node: "a" }), { ...b, slots: 99 })).toEqual({
      answer: "refused",
      reason: "not your subject",
    });
    const key = await submit(["echo", "of-b"], "b");
    await ended(key);
    expect(await ask(subjects.beat({ node: "a" }), { node: "b", observed: [] })).toBeNull();
    const offset = { task: key.task, attempt: 1, stream: "stdout" };
    expect(await ask(subjects.logOffset({ node: "a" }), { ...offset, node: "b" })).toBeNull();
    expect(await ask(subjects.logOffset({ node: "a" }), { ...offset, node: "a" })).toEqual({ stored: 0 });
    const state = (await ground.ledger.load(key)).state as { fence: string };
    const grant = { ...key, attempt: 1, fence: state.fence };
    expect(await ask(subjects.grant({ node: "a" }), { ...grant, node: "b" })).toMatchObject({ answer: "no" });
    expect(await ask(subjects.grant({ node: "a" }), { ...grant, node: "a" })).toMatchObject({ answer: "no" });
  });

  it("hears hints for its own name and nothing else", async () => {
    const heard: string[] = [];
    intruder.subscribe(">", { callback: (_error, message) => void heard.push(message.subject) });
    await intruder.flush();
    await ended(await submit(["echo", "hi"], "b"));
    for (const node of ["b", "a"]) ground.nats.connection.publish(subjects.control({ node }));
    agents.b!.nats.connection.publish(createInbox(), "of b");
    await waitFor("its own hint", () => heard.includes(subjects.control({ node: "a" })));
    const own =
      /^(control\.a|_INBOX\..*|beat\.a|\$KV\.heartbeats\.a|JS\.cazi\.API\.CONSUMER\..*\.CLAIMS\.a)$/;
    expect(heard.filter((subject) => !own.test(subject))).toEqual([]);
  });
});

describe("a node that is removed", () => {
  it("loses its connection at once, is let in no more, and is known no more", async () => {
    const { nats } = agents.a!;
    await fleet.change("a", { kind: "remove", force: true }, "user:admin");
    expect(known("a")).toBeUndefined();
    const late = { ...known("b")!, node: "a" };
    const answer = await nats.connection.request(subjects.register({ node: "a" }), JSON.stringify(late));
    expect(answer.json()).toEqual({ answer: "refused", reason: "the node was removed" });
    const nowSeconds = Math.floor(Date.now() / 1000);
    await announce(
      system,
      await makeRevocation({ name: nodeAccountName("a"), account, operatorSeed, nowSeconds }),
    );
    await waitFor("its connection to be cut", () => !nats.connected());
    await intruder.closed();
    await expect(connectWith(readFileSync(join(home.path, "a.creds")))).rejects.toThrow(/Authorization/);
  });
});
