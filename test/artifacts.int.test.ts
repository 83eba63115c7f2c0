import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sweepArtifacts } from "../services/control-plane/artifacts/expireArtifacts.ts";
import { findArtifact, listArtifacts } from "../services/control-plane/artifacts/readArtifact.ts";
import type { PlacedTask } from "../services/domain/task/taskState.ts";
import { objectName } from "../services/kernel/artifacts/artifactStore.ts";
import { Retryable } from "../services/kernel/errors.ts";
import { newId } from "../services/kernel/ids.ts";
import type { TaskKey } from "../services/kernel/ledger/taskLedger.ts";
import { type ContainersOnNats, containersOnNats } from "./support/containersOnNats.ts";
import { waitFor } from "./support/waitFor.ts";
import { withEngine } from "./support/withEngine.ts";
import { withNats } from "./support/withNats.ts";

const KiB = 1024;
const MiB = 1024 * KiB;
const server = withNats();
const engine = withEngine();
let on: ContainersOnNats;
/** Bytes that the tenant may still store. */
let room = Number.POSITIVE_INFINITY;
const admitUpload = async (_tenant: string, bytes: number) => {
  if (bytes > room) throw new Retryable("QUOTA_EXCEEDED", "The tenant is at its limit stored_bytes_max.");
};

beforeAll(async () => {
  const env = {
    CAZI_ARTIFACT_FILE_BYTES_MAX: String(300 * KiB),
    CAZI_ARTIFACT_BYTES_MAX: String(600 * KiB),
    CAZI_ARTIFACT_FILES_MAX: "5",
    CAZI_ARTIFACT_FOLDER_BYTES_MAX: String(16 * MiB),
  };
  on = await containersOnNats(server, engine, { env, admitUpload });
});
afterAll(() => on?.stop());

const shell = (script: string) => ({ command: ["sh", "-c", script] });
const names = async (key: TaskKey) => (await listArtifacts(on.artifacts.reads, key)).map((one) => one.name);

async function content(key: TaskKey, name: string): Promise<string> {
  const { object } = await findArtifact(on.artifacts.reads, key, name);
  const pieces: Uint8Array[] = [];
  for await (const piece of on.artifacts.reads.store.read(object, 0)) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

const foldersLeft = () => readdirSync(join(on.ground.config.home, "node", "local", "artifacts"));

describe("what a container leaves behind", () => {
  it("is stored by wget over the bridge while it runs, and again is nothing new", async () => {
    const { key, state } = await on.run(
      shell(
        'echo "hello" > /tmp/r; for i in 1 2; do wget -q -O - --header "Authorization: Bearer $CAZI_WORKLOAD_TOKEN" --post-file /tmp/r "$CAZI_ARTIFACT_URL/out/report%20%C3%BC.csv" || exit 9; done',
      ),
    );
    expect(state).toMatchObject({ status: "succeeded", artifacts: 1, artifact_bytes: 6, message: null });
    const [one] = await listArtifacts(on.artifacts.reads, key);
    expect(one).toMatchObject({ name: "out/report ü.csv", attempt: 1, media_type: "text/csv", bytes: 6 });
    expect(one!.expires_at - one!.stored_at).toBeGreaterThan(604_700_000);
    expect(await content(key, "out/report ü.csv")).toBe("hello\n");
  });

  it("is taken from /artifacts without a network, whoever it runs as, however read-only and however it ends", async () => {
    const { key, state } = await on.run({
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
    const { key, state } = await on.run({
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
    const { key, state } = await on.run({ ...files, network: "none" });
    room = Number.POSITIVE_INFINITY;
    expect(state).toMatchObject({ status: "succeeded", exit_code: 0, artifacts: 1 });
    expect(state.message).toContain('"a": QUOTA_EXCEEDED: The tenant is at its limit stored_bytes_max.');
    expect(await names(key)).toEqual(["b"]);
  });

  it("is bounded in size and number, and ten thousand files cost no more than a few", async () => {
    const big = await on.run({
      ...shell(
        "cd /artifacts && head -c 400000 /dev/zero > big && dd if=/dev/zero of=sparse bs=1 count=1 seek=900000000000 2>/dev/null; head -c 1000 /dev/zero > small",
      ),
      network: "none",
    });
    expect(await names(big.key), big.state.message ?? "").toEqual(["small"]);
    expect(big.state.message).toMatch(/"big".*ARTIFACT_TOO_LARGE.*"sparse"/);
    const many = await on.run({
      ...shell("cd /artifacts && i=0; while [ $i -lt 10050 ]; do : > f$i; i=$((i+1)); done"),
      network: "none",
    });
    expect(many.state).toMatchObject({ status: "succeeded", artifacts: 5 });
    expect(many.state.message).toMatch(/ARTIFACT_LIMIT.*more/);
    expect(foldersLeft()).toEqual([]);
  });

  it("may not fill the disk: what grows beyond its bound is killed, and says why", async () => {
    const { key, state } = await on.run({
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
    const { url } = on.artifacts;
    await on.stopArtifacts();
    const key = await on.submit({ ...shell("echo kept > /artifacts/kept.txt"), network: "none" });
    const folder = join(on.ground.config.home, "node", "local", "artifacts", `${key.task}-1`, "files");
    await waitFor("the file to be left", () => existsSync(join(folder, "kept.txt")), { deadlineMs: 30_000 });
    await on.stopNode();
    await on.startArtifacts();
    expect(on.artifacts.url).toBe(url);
    await on.startNode();
    expect(await on.ended(key)).toMatchObject({ status: "succeeded", artifacts: 1, message: null });
    expect(await content(key, "kept.txt")).toBe("kept\n");
    expect(foldersLeft()).toEqual([]);
  });
});

/** A task whose attempt is on a node that is not there, so that the test speaks for it. */
async function granted(more: object = {}) {
  const key = await on.submit({ ...shell("true"), selector: { node: "elsewhere" }, ...more });
  const at = Date.now();
  await on.ground.ledger.execute(key, { kind: "schedule", node: "elsewhere", at, id: newId(at) });
  const { fence } = (await on.ground.ledger.load(key)).state as PlacedTask;
  await on.ground.ledger.execute(key, {
    kind: "grant",
    node: "elsewhere",
    fence,
    attempt: 1,
    at,
    id: newId(at),
  });
  const state = (await on.ground.ledger.load(key)).state as PlacedTask;
  return { key, state, token: await on.identity.issue(key, state) };
}

const put = async (token: string, path: string, body: string | Uint8Array = "x", init: RequestInit = {}) => {
  const answer = await fetch(`${on.artifacts.url}${path}`, {
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
    await on.ground.ledger.execute(one.key, { kind: "report", report, at: now, id: newId(now), jitter: 0 });
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
    const origin = new URL(on.artifacts.url!).origin;
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
    const answer = await fetch(`${on.artifacts.url}/b`, { method: "PUT", headers, ...chunked }).catch(
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
    const { artifacts: count } = (await on.ground.ledger.load(key)).state as PlacedTask;
    expect(count).toBe(1);
    const kept = (await on.artifacts.reads.store.list()).filter((one) => one.name.includes(key.task));
    expect(kept).toHaveLength(1);
  });

  it("lets a file go when its time is over, and says that it was there", async () => {
    const { token, key } = await granted({ artifact_ttl_seconds: 60 });
    await put(token, "/short");
    const [one] = await listArtifacts(on.artifacts.reads, key);
    const later = { now: () => Date.now() + 61_000, monotonicMs: () => performance.now() };
    const ports = { ...on.ground, ...on.artifacts.reads, clock: later };
    await expect(findArtifact({ ...on.artifacts.reads, clock: later }, key, "short")).rejects.toMatchObject({
      code: "ARTIFACT_EXPIRED",
    });
    expect(await sweepArtifacts(ports)).toBe(1);
    expect(await sweepArtifacts(ports)).toBe(0);
    await expect(findArtifact(on.artifacts.reads, key, "short")).rejects.toMatchObject({
      code: "ARTIFACT_EXPIRED",
    });
    await expect(findArtifact(on.artifacts.reads, key, "never")).rejects.toMatchObject({
      code: "ARTIFACT_NOT_FOUND",
    });
    expect(await on.artifacts.reads.store.find(objectName(key, one!.id))).toBeNull();
    const { state } = await on.ground.ledger.load(key);
    expect(state).toMatchObject({ status: "claimed", artifacts: 0, artifact_bytes: 0 });
  });

  it("removes bytes that no event names once they are old, and no others", async () => {
    const { token, key } = await granted();
    await put(token, "/named");
    const source = async function* () {
      yield Buffer.from("nobody's");
    };
    const { store } = on.artifacts.reads;
    await store.put(objectName(key, newId(Date.now())), source(), { bytesMax: 100, now: Date.now });
    const at = (ms: number) => ({ now: () => Date.now() + ms, monotonicMs: () => performance.now() });
    expect(await sweepArtifacts({ ...on.ground, ...on.artifacts.reads, clock: at(0) })).toBe(0);
    expect(await sweepArtifacts({ ...on.ground, ...on.artifacts.reads, clock: at(7_200_000) })).toBe(1);
    expect(await content(key, "named")).toBe("x");
  });
});

function endReport({ key, state }: { key: TaskKey; state: PlacedTask }) {
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
