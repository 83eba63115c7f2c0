/** What the server that containers publish at refuses, over a real bucket and with real tokens. */
import { request } from "node:http";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Ground } from "../deploy/compose/roles/role.ts";
import { listArtifacts } from "../services/control-plane/artifacts/readArtifact.ts";
import { type Artifacts, startArtifacts } from "../services/control-plane/artifacts/startArtifacts.ts";
import type { Identity } from "../services/control-plane/identity/identity.ts";
import type { PlacedTask } from "../services/domain/task/taskState.ts";
import { newId } from "../services/kernel/ids.ts";
import { groundOnNats } from "./support/groundOnNats.ts";
import { identityOnNats } from "./support/identityOnNats.ts";
import { submitCommand } from "./support/ledgerOnNats.ts";
import { waitFor } from "./support/waitFor.ts";
import { withNats } from "./support/withNats.ts";

const KiB = 1024;
const BUCKET = "OBJ_artifacts";
const server = withNats();
let ground: Ground;
let identity: Identity;
let artifacts: Artifacts;
/** What the clock of the checks is ahead of the machine's. */
let aheadMs = 0;

beforeAll(async () => {
  ground = await groundOnNats(server, { CAZI_ARTIFACT_LISTEN: "127.0.0.1:0" });
  const clock = { ...ground.clock, now: () => Date.now() + aheadMs };
  const of = await identityOnNats({ ...ground, clock });
  identity = of.identity;
  artifacts = await startArtifacts({ ...ground, ...of, bridgeGateway: null });
});
afterAll(async () => {
  await artifacts?.stop();
  identity?.stop();
  await ground?.stop();
});

/** A task whose attempt is on a node, and the token that its container has. */
async function granted() {
  const key = { tenant: "default", task: newId(Date.now()) };
  await ground.ledger.execute(key, submitCommand());
  return { key, ...(await attemptOf(key, 1)) };
}

async function attemptOf(key: { tenant: string; task: string }, attempt: number) {
  const at = Date.now();
  await ground.ledger.execute(key, { kind: "schedule", node: "n", at, id: newId(at) });
  const { fence } = (await ground.ledger.load(key)).state as PlacedTask;
  await ground.ledger.execute(key, { kind: "grant", node: "n", fence, attempt, at, id: newId(at) });
  const state = (await ground.ledger.load(key)).state as PlacedTask;
  return { state, token: await identity.issue(key, state) };
}

async function put(token: string, name: string, body: Uint8Array = Buffer.from("x")) {
  const answer = await fetch(`${artifacts.url}/${encodeURIComponent(name)}`, {
    method: "PUT",
    headers: { authorization: `Bearer ${token}` },
    body: Buffer.from(body),
  });
  const { code } = (await answer.json()) as { code?: string };
  return { status: answer.status, code };
}

const names = async (key: { tenant: string; task: string }) =>
  (await listArtifacts(artifacts.reads, key)).map((one) => one.name);
const stored = async () => (await ground.nats.jsm.streams.info(BUCKET)).state.messages;
const refused = { status: 401, code: "WORKLOAD_TOKEN_INVALID" };

it("a token stores files with its own task alone, and none once it has expired", async () => {
  const [one, other] = [await granted(), await granted()];
  expect(await put(one.token, "mine")).toMatchObject({ status: 201 });
  expect([await names(one.key), await names(other.key)]).toEqual([["mine"], []]);
  aheadMs = 3_600_000;
  try {
    expect(await put(one.token, "late")).toEqual(refused);
  } finally {
    aheadMs = 0;
  }
  expect(await names(one.key)).toEqual(["mine"]);
});

it("a token stores files for the attempt that is granted now, by its number and its fence, and for no other", async () => {
  const key = { tenant: "default", task: newId(Date.now()) };
  await ground.ledger.execute(key, submitCommand());
  const at = Date.now();
  await ground.ledger.execute(key, { kind: "schedule", node: "n", at, id: newId(at) });
  const { state } = await ground.ledger.load(key);
  const early = await identity.issue(key, state as PlacedTask);
  expect(await put(early, "before-the-grant")).toEqual(refused);
  const { fence } = state as PlacedTask;
  await ground.ledger.execute(key, {
    kind: "grant",
    node: "n",
    fence,
    attempt: 1,
    at,
    id: newId(at),
  });
  expect(await put(early, "granted")).toMatchObject({ status: 201 });
  const stale = await identity.issue(key, { ...(state as PlacedTask), fence: `1.${newId(at)}` });
  expect(await put(stale, "of-another-fence")).toEqual(refused);
  const before = await identity.issue(key, { ...(state as PlacedTask), attempt: 2 });
  expect(await put(before, "of-another-attempt")).toEqual(refused);
  expect(await names(key)).toEqual(["granted"]);
});

it.each([
  "x".repeat(256),
  `${"y".repeat(250)}/${"y".repeat(250)}/${"y".repeat(20)}`,
  "C:\\report.csv",
  "C:report.csv",
  "out/c:report.csv",
  "..\\report.csv",
  "out/CON",
  "nul.txt",
  "Lpt1.tar.gz",
])("a file is not stored as %s", async (name) => {
  const { token, key } = await granted();
  expect(await put(token, name)).toEqual({ status: 422, code: "ARTIFACT_NAME_INVALID" });
  expect(await names(key)).toEqual([]);
});

it("an upload that is cut leaves nothing, and its name is free", async () => {
  const { token, key } = await granted();
  const before = await stored();
  const cut = request(`${artifacts.url}/cut`, {
    method: "PUT",
    agent: false,
    headers: { authorization: `Bearer ${token}`, "content-length": String(600 * KiB) },
  });
  cut.on("error", () => undefined);
  cut.write(Buffer.alloc(400 * KiB, 1));
  await waitFor("some of it to be in the bucket", async () => (await stored()) > before);
  cut.destroy();
  await waitFor("the bucket to be as it was", async () => (await stored()) === before);
  expect(await names(key)).toEqual([]);
  expect(await put(token, "cut", Buffer.alloc(600 * KiB, 2))).toMatchObject({ status: 201 });
});

it("a bucket that is full refuses a file with 507, keeps nothing of it, and takes small ones again", async () => {
  const { token, key } = await granted();
  const { config, state } = await ground.nats.jsm.streams.info(BUCKET);
  await ground.nats.jsm.streams.update(BUCKET, { max_bytes: state.bytes + 300 * KiB });
  try {
    const full = await put(token, "large", Buffer.alloc(800 * KiB, 3));
    expect(full).toEqual({ status: 507, code: "ARTIFACT_STORE_FULL" });
    await waitFor("the bucket to be as it was", async () => (await stored()) === state.messages);
    expect(await names(key)).toEqual([]);
    expect(await put(token, "small")).toMatchObject({ status: 201 });
  } finally {
    await ground.nats.jsm.streams.update(BUCKET, { max_bytes: config.max_bytes });
  }
  expect(await put(token, "large", Buffer.alloc(800 * KiB, 3))).toMatchObject({ status: 201 });
});
