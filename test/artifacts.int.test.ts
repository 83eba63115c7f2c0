import { randomUUID } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nodeRole } from "../deploy/compose/roles/node.ts";
import type { Ground, RunningRole } from "../deploy/compose/roles/role.ts";
import { schedulerRole } from "../deploy/compose/roles/scheduler.ts";
import { bridgeGateway } from "../deploy/embedded/bridgeGateway.ts";
import { sweepArtifacts } from "../services/control-plane/artifacts/expireArtifacts.ts";
import { findArtifact, listArtifacts } from "../services/control-plane/artifacts/readArtifact.ts";
import { type Artifacts, startArtifacts } from "../services/control-plane/artifacts/startArtifacts.ts";
import type { Identity } from "../services/control-plane/identity/identity.ts";
import { startTransitions } from "../services/control-plane/transitions/startTransitions.ts";
import { isRefusal } from "../services/domain/refusal.ts";
import { readSpec } from "../services/domain/spec/readSpec.ts";
import type { PlacedTask } from "../services/domain/task/taskState.ts";
import { objectName } from "../services/kernel/artifacts/artifactStore.ts";
import { canonicalSpec } from "../services/kernel/canonicalSpec.ts";
import type { ConnectionStore } from "../services/kernel/connections/connectionStore.ts";
import { Retryable } from "../services/kernel/errors.ts";
import { newId } from "../services/kernel/ids.ts";
import { groundOnNats } from "./support/groundOnNats.ts";
import { identityOnNats } from "./support/identityOnNats.ts";
import { submitCommand } from "./support/ledgerOnNats.ts";
import { waitFor } from "./support/waitFor.ts";
import { withEngine } from "./support/withEngine.ts";
import { withNats } from "./support/withNats.ts";

const KiB = 1024;
const MiB = 1024 * KiB;
const instance = newId(Date.now());
const server = withNats();
const engine = withEngine();
let ground: Ground;
let identity: Identity;
let connections: ConnectionStore;
let gateway: string;
let artifacts: Artifacts;
let node: RunningRole;
const stops: (() => Promise<unknown>)[] = [];
/** Bytes that the tenant may still store. */
let room = Number.POSITIVE_INFINITY;
const admitUpload = async (_tenant: string, bytes: number) => {
  if (bytes > room) throw new Retryable("QUOTA_EXCEEDED", "The tenant is at its limit stored_bytes_max.");
};

beforeAll(async () => {
  ground = await groundOnNats(server, {
    DOCKER_HOST: engine.dockerHost,
    CAZI_ARTIFACT_FILE_BYTES_MAX: String(300 * KiB),
    CAZI_ARTIFACT_BYTES_MAX: String(600 * KiB),
    CAZI_ARTIFACT_FILES_MAX: "5",
    CAZI_ARTIFACT_FOLDER_BYTES_MAX: String(16 * MiB),
  });
  gateway = (await bridgeGateway(engine.dockerHost))!;
  const of = await identityOnNats(ground);
  ({ identity, connections } = of);
  artifacts = await startArtifacts({ ...ground, ...of, admitUpload, bridgeGateway: gateway });
  const { claimLimitMs, startLimitMs, stopGraceMs } = ground.config;
  const stopTransitions = startTransitions({
    ...ground,
    ...of,
    artifactUrl: artifacts.url,
    stdinUrl: artifacts.stdinUrl,
    epoch: ground.feed.epoch,
    random: Math.random,
    claimLimitMs,
    startLimitMs,
    stopGraceMs,
  });
  const scheduler = schedulerRole(ground);
  node = await nodeRole(ground, instance);
  stops.push(() => scheduler.stop(), stopTransitions);
});
afterAll(async () => {
  await node?.stop();
  await Promise.all(stops.map((stop) => stop()));
  await artifacts?.stop();
  identity?.stop();
  await ground?.stop();
});

type Key = { readonly tenant: string; readonly task: string };

async function submit(more: object): Promise<Key> {
  const read = readSpec({ image: "cazi/toolbox:latest", ...more });
  if (isRefusal(read)) throw new Error(read.message);
  const key = { tenant: "default", task: newId(Date.now()) };
  await ground.ledger.execute(key, { ...submitCommand(canonicalSpec(read.spec).json), id: randomUUID() });
  return key;
}

async function ended(key: Key): Promise<PlacedTask> {
  await waitFor(`task ${key.task} to end`, () => ground.live.tasks.hasEnded(key.task), {
    deadlineMs: 60_000,
  });
  return (await ground.ledger.load(key)).state as PlacedTask;
}

const shell = (script: string) => ({ command: ["sh", "-c", script] });
const run = async (spec: object) => {
  const key = await submit(spec);
  return { key, state: await ended(key) };
};
const names = async (key: Key) => (await listArtifacts(artifacts.reads, key)).map((one) => one.name);

async function content(key: Key, name: string): Promise<string> {
  const { object } = await findArtifact(artifacts.reads, key, name);
  const pieces: Uint8Array[] = [];
  for await (const piece of artifacts.reads.store.read(object, 0)) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

const foldersLeft = () => readdirSync(join(ground.config.home, "node", "local", "artifacts"));

describe("what a container leaves behind", () => {
  it("is stored by wget over the bridge while it runs, and again is nothing new", async () => {
    const { key, state } = await run(
      shell(
        'echo "hello" > /tmp/r; for i in 1 2; do wget -q -O - --header "Authorization: Bearer $CAZI_WORKLOAD_TOKEN" --post-file /tmp/r "$CAZI_ARTIFACT_URL/out/report%20%C3%BC.csv" || exit 9; done',
      ),
    );
    expect(state).toMatchObject({ status: "succeeded", artifacts: 1, artifact_bytes: 6, message: null });
    const [one] = await listArtifacts(artifacts.reads, key);
    expect(one).toMatchObject({ name: "out/report ü.csv", attempt: 1, media_type: "text/csv", bytes: 6 });
    expect(one!.expires_at - one!.stored_at).toBeGreaterThan(604_700_000);
    expect(await content(key, "out/report ü.csv")).toBe("hello\n");
  });

  it("is taken from /artifacts without a network, whoever it runs as, however read-only and however it ends", async () => {
    const { key, state } = await run({
      ...shell(
        'mkdir -p /artifacts/a/b && echo x > /artifacts/a/b/c.txt && : > /artifacts/empty && chmod 600 /artifacts/a/b/c.txt && test -z "$CAZI_ARTIFACT_URL" && exit 3',
      ),
      network: "none",
      read_only: true,
      user: "1234:5678",
    });
    expect(state).toMatchObject({
      status: "failed",
      reason: "exit",
      exit_code: 3,
      message: null,
      artifacts: 2,
    });
    expect(await names(key)).toEqual(["a/b/c.txt", "empty"]);
    expect(await content(key, "a/b/c.txt")).toBe("x\n");
    expect(foldersLeft()).toEqual([]);
  });

  it("is nothing but plain files, and what else was there is told", async () => {
    const { key, state } = await run({
      ...shell(
        [
          "cd /artifacts",
          "echo good > good.txt",
          "ln -s /etc/shadow shadow",
          "ln -s / root",
          "echo linked > one; ln one two",
          "mkfifo pipe",
          "mknod device c 1 3",
          "echo x > \"$(printf 'line\\nbreak')\"",
          "echo x > \"$(printf 'esc\\033[31m')\"",
          "echo x > 'back\\slash'",
          "d=.; i=0; while [ $i -lt 30 ]; do d=$d/deep; mkdir $d; i=$((i+1)); done; echo x > $d/bottom",
          "exit 0",
        ].join("; "),
      ),
      network: "none",
    });
    expect(state).toMatchObject({ status: "succeeded", exit_code: 0, artifacts: 1 });
    expect(await names(key)).toEqual(["good.txt"]);
    expect(state.message).toContain("not everything in /artifacts was stored");
    expect(state.message).not.toMatch(/\p{Cc}/u);
    expect(foldersLeft()).toEqual([]);
  });

  it("is stored as far as the tenant's quota goes, and the task says which limit kept the rest", async () => {
    room = 4;
    const files = shell("echo longer > /artifacts/a; echo x > /artifacts/b");
    const { key, state } = await run({ ...files, network: "none" });
    room = Number.POSITIVE_INFINITY;
    expect(state).toMatchObject({ status: "succeeded", exit_code: 0, artifacts: 1 });
    expect(state.message).toContain('"a": QUOTA_EXCEEDED: The tenant is at its limit stored_bytes_max.');
    expect(await names(key)).toEqual(["b"]);
  });

  it("is bounded in size and number, and ten thousand files cost no more than a few", async () => {
    const big = await run({
      ...shell(
        "cd /artifacts && head -c 400000 /dev/zero > big && dd if=/dev/zero of=sparse bs=1 count=1 seek=900000000000 2>/dev/null; head -c 1000 /dev/zero > small",
      ),
      network: "none",
    });
    expect(await names(big.key), big.state.message ?? "").toEqual(["small"]);
    expect(big.state.message).toMatch(/"big".*ARTIFACT_TOO_LARGE.*"sparse"/);
    const many = await run({
      ...shell("cd /artifacts && i=0; while [ $i -lt 10050 ]; do : > f$i; i=$((i+1)); done"),
      network: "none",
    });
    expect(many.state).toMatchObject({ status: "succeeded", artifacts: 5 });
    expect(many.state.message).toMatch(/ARTIFACT_LIMIT.*more/);
    expect(foldersLeft()).toEqual([]);
  });

  it("may not fill the disk: what grows beyond its bound is killed, and says why", async () => {
    const { key, state } = await run({
      ...shell(
        "cd /artifacts; echo kept > a; trap '' TERM; head -c 20000000 /dev/zero > big; while :; do sleep 1; done",
      ),
      network: "none",
    });
    expect(state).toMatchObject({ status: "failed", reason: "signal", exit_code: 137 });
    expect(state.message).toMatch(/^ARTIFACT_FOLDER_FULL: \/artifacts holds more than 16777216 bytes/);
    expect(await names(key)).toEqual(["a"]);
    expect(foldersLeft()).toEqual([]);
  });

  it("is brought by the next life of an agent that died between its exit and its bringing", async () => {
    const { url } = artifacts;
    await artifacts.stop();
    const key = await submit({ ...shell("echo kept > /artifacts/kept.txt"), network: "none" });
    const folder = join(ground.config.home, "node", "local", "artifacts", `${key.task}-1`, "files");
    await waitFor("the file to be left", () => existsSync(join(folder, "kept.txt")), { deadlineMs: 30_000 });
    await node.stop();
    const { port } = new URL(url!);
    const config = { ...ground.config, artifactListen: `${gateway}:${port}` };
    artifacts = await startArtifacts({ ...ground, config, identity, connections, bridgeGateway: gateway });
    expect(artifacts.url).toBe(url);
    node = await nodeRole(ground, instance);
    expect(await ended(key)).toMatchObject({ status: "succeeded", artifacts: 1, message: null });
    expect(await content(key, "kept.txt")).toBe("kept\n");
    expect(foldersLeft()).toEqual([]);
  });
});

/** A task whose attempt is on a node that is not there, so that the test speaks for it. */
async function granted(more: object = {}) {
  const key = await submit({ ...shell("true"), selector: { node: "elsewhere" }, ...more });
  const at = Date.now();
  await ground.ledger.execute(key, { kind: "schedule", node: "elsewhere", at, id: newId(at) });
  const { fence } = (await ground.ledger.load(key)).state as PlacedTask;
  await ground.ledger.execute(key, {
    kind: "grant",
    node: "elsewhere",
    fence,
    attempt: 1,
    at,
    id: newId(at),
  });
  const state = (await ground.ledger.load(key)).state as PlacedTask;
  return { key, state, token: await identity.issue(key, state) };
}

const put = async (token: string, path: string, body: string | Uint8Array = "x", init: RequestInit = {}) => {
  const answer = await fetch(`${artifacts.url}${path}`, {
    method: "PUT",
    headers: { authorization: `Bearer ${token}` },
    body: typeof body === "string" ? body : Buffer.from(body),
    ...init,
  });
  return { status: answer.status, json: (await answer.json()) as { code?: string; sha256?: string } };
};

describe("the server that containers publish at", () => {
  it("takes files of the token's own attempt, and of nobody else", async () => {
    const one = await granted();
    expect(await put(one.token, "/a.txt")).toMatchObject({ status: 201, json: { name: "a.txt", bytes: 1 } });
    expect(
      await put(one.token, "?name=b%2Fc.txt", "y", {
        method: "POST",
        headers: { authorization: `Bearer ${one.token}` },
      }),
    ).toMatchObject({ status: 201 });
    expect(await names(one.key)).toEqual(["a.txt", "b/c.txt"]);
    for (const token of ["", "x", `${one.token}x`, one.token.split(".").slice(0, 2).join(".")]) {
      expect(await put(token, "/n")).toMatchObject({ status: 401, json: { code: "WORKLOAD_TOKEN_INVALID" } });
    }
    const now = Date.now();
    const report = endReport(one);
    await ground.ledger.execute(one.key, { kind: "report", report, at: now, id: newId(now), jitter: 0 });
    expect(await put(one.token, "/late")).toMatchObject({ status: 401 });
    expect(await names(one.key)).toEqual(["a.txt", "b/c.txt"]);
  });

  it("takes no name that leads elsewhere, and answers at no other address", async () => {
    const { token, key } = await granted();
    for (const path of [
      "/%2e%2e%2fx",
      "/a%2f%2e%2e%2f%2e%2e%2fx",
      "/%2Fetc%2Fpasswd",
      "/a%00b",
      "/a%0ab",
      "/a%5cb",
      "/",
      "?name=../x",
    ]) {
      const answer = await put(token, path);
      expect(answer, path).toMatchObject({ status: 422, json: { code: "ARTIFACT_NAME_INVALID" } });
    }
    expect((await put(token, "/%ff")).status).toBe(400);
    expect(await names(key)).toEqual([]);
    const origin = new URL(artifacts.url!).origin;
    expect((await fetch(`${origin}/.well-known/jwks.json`)).status).toBe(200);
    for (const path of ["/v1/tasks", "/healthz", "/metrics", "/artifacts/a", "/openapi.json"]) {
      expect((await fetch(`${origin}${path}`)).status, path).toBeGreaterThanOrEqual(404);
    }
  });

  it("refuses what is too large, in one piece or in chunks, and keeps nothing of it", async () => {
    const { token, key } = await granted();
    const tooLarge = { status: 413, json: { code: "ARTIFACT_TOO_LARGE" } };
    expect(await put(token, "/a", Buffer.alloc(301 * KiB))).toMatchObject(tooLarge);
    const stream = new ReadableStream({
      pull: (controller) => controller.enqueue(Buffer.alloc(64 * KiB)),
    });
    const chunked = { body: stream, duplex: "half" } as RequestInit;
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(`${artifacts.url}/b`, { method: "PUT", headers, ...chunked }).catch(
      () => null,
    );
    expect(answer === null || answer.status === 413).toBe(true);
    expect(await put(token, "/c", Buffer.alloc(299 * KiB))).toMatchObject({ status: 201 });
    expect(await put(token, "/d", Buffer.alloc(299 * KiB))).toMatchObject({ status: 201 });
    expect(await put(token, "/e", Buffer.alloc(299 * KiB))).toMatchObject({
      status: 413,
      json: { code: "ARTIFACT_LIMIT" },
    });
    expect(await put(token, "/c", "other")).toMatchObject({ status: 409, json: { code: "ARTIFACT_EXISTS" } });
    expect(await names(key)).toEqual(["c", "d"]);
  });

  it("records one of two files that race for a name", async () => {
    const { token, key } = await granted();
    const answers = await Promise.all(["a", "b", "a", "b"].map((body) => put(token, "/raced", body)));
    const stored = await content(key, "raced");
    const statuses = answers.map((one, index) =>
      index % 2 === (stored === "a" ? 0 : 1) ? one.status < 300 : one.status === 409,
    );
    expect(statuses).toEqual([true, true, true, true]);
    const { artifacts: count } = (await ground.ledger.load(key)).state as PlacedTask;
    expect(count).toBe(1);
    const kept = (await artifacts.reads.store.list()).filter((one) => one.name.includes(key.task));
    expect(kept).toHaveLength(1);
  });

  it("lets a file go when its time is over, and says that it was there", async () => {
    const { token, key } = await granted({ artifact_ttl_seconds: 60 });
    await put(token, "/short");
    const [one] = await listArtifacts(artifacts.reads, key);
    const later = { now: () => Date.now() + 61_000, monotonicMs: () => performance.now() };
    const ports = { ...ground, ...artifacts.reads, clock: later };
    await expect(findArtifact({ ...artifacts.reads, clock: later }, key, "short")).rejects.toMatchObject({
      code: "ARTIFACT_EXPIRED",
    });
    expect(await sweepArtifacts(ports)).toBe(1);
    expect(await sweepArtifacts(ports)).toBe(0);
    await expect(findArtifact(artifacts.reads, key, "short")).rejects.toMatchObject({
      code: "ARTIFACT_EXPIRED",
    });
    await expect(findArtifact(artifacts.reads, key, "never")).rejects.toMatchObject({
      code: "ARTIFACT_NOT_FOUND",
    });
    expect(await artifacts.reads.store.find(objectName(key, one!.id))).toBeNull();
    const { state } = await ground.ledger.load(key);
    expect(state).toMatchObject({ status: "claimed", artifacts: 0, artifact_bytes: 0 });
  });

  it("removes bytes that no event names once they are old, and no others", async () => {
    const { token, key } = await granted();
    await put(token, "/named");
    const source = async function* () {
      yield Buffer.from("nobody's");
    };
    const { store } = artifacts.reads;
    await store.put(objectName(key, newId(Date.now())), source(), { bytesMax: 100, now: Date.now });
    const at = (ms: number) => ({ now: () => Date.now() + ms, monotonicMs: () => performance.now() });
    expect(await sweepArtifacts({ ...ground, ...artifacts.reads, clock: at(0) })).toBe(0);
    expect(await sweepArtifacts({ ...ground, ...artifacts.reads, clock: at(7_200_000) })).toBe(1);
    expect(await content(key, "named")).toBe("x");
  });
});

function endReport({ key, state }: { key: Key; state: PlacedTask }) {
  const nothing = { stored: 0, dropped: 0 };
  return {
    ...key,
    node: "elsewhere",
    attempt: 1,
    fence: state.fence,
    revision: 1,
    image: null,
    pull: null,
    not_started: null,
    started_at: Date.now(),
    ended: {
      exit_code: 0,
      signal: null,
      oom_killed: false,
      stopped_by: null,
      failure: null,
      finished_at: Date.now(),
      message: null,
    },
    logs: { stdout: nothing, stderr: nothing },
  };
}
