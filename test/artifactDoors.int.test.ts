/** Files of tasks at every door but the container's own: the API, the command line and MCP, over one real bucket. */
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, get as httpGet, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Ground } from "../deploy/compose/roles/role.ts";
import { type McpFixture, mcpFixture } from "../mcp/testing/mcpFixture.ts";
import { runCommand } from "../services/cli/testing/commandInProcess.ts";
import type { ReadPorts } from "../services/control-plane/artifacts/readArtifact.ts";
import { artifactReads } from "../services/control-plane/artifacts/startArtifacts.ts";
import { testTenant, testToken } from "../services/control-plane/testing/apiFixture.ts";
import type { PlacedTask } from "../services/domain/task/taskState.ts";
import { objectName } from "../services/kernel/artifacts/artifactStore.ts";
import { newId } from "../services/kernel/ids.ts";
import { groundOnNats } from "./support/groundOnNats.ts";
import { submitCommand } from "./support/ledgerOnNats.ts";
import { tempHome } from "./support/tempHome.ts";
import { waitFor } from "./support/waitFor.ts";
import { withNats } from "./support/withNats.ts";

const KiB = 1024;
const MiB = 1024 * KiB;
const othersToken = "cazi_of-another-tenant";
const server = withNats();
let ground: Ground;
let reads: ReadPorts;
let api: McpFixture;
let origin: string;
/** What the API's clock is ahead of the machine's. */
let aheadMs = 0;
/** How reading the bucket goes. */
const bucket = { bytesRead: 0, readers: 0 };

beforeAll(async () => {
  ground = await groundOnNats(server);
  const of = artifactReads(ground);
  reads = {
    ...of,
    clock: { now: () => Date.now() + aheadMs, monotonicMs: () => performance.now() },
    store: {
      ...of.store,
      read: async function* (object, offset) {
        bucket.readers++;
        try {
          for await (const chunk of of.store.read(object, offset)) {
            bucket.bytesRead += chunk.length;
            yield chunk;
          }
        } finally {
          bucket.readers--;
        }
      },
    },
  };
  const person = (tenant: string) =>
    ({ tenant, actor: "user:someone", role: "viewer", installation: false }) as const;
  const people = new Map([
    [testToken, person(testTenant)],
    [othersToken, person("other")],
  ]);
  api = await mcpFixture({
    ledger: ground.ledger,
    artifacts: reads,
    tokens: { verify: (token) => people.get(token) ?? null },
  });
  origin = api.url.origin;
});
afterAll(async () => {
  await api?.stop();
  await ground?.stop();
});

interface Published {
  readonly task: string;
  readonly name: string;
  readonly sha256: string;
}

/** A file as a container publishes it, without the server in between. */
async function published(
  name: string,
  body: Uint8Array | string,
  contentType = "text/html",
): Promise<Published> {
  const key = { tenant: testTenant, task: newId(Date.now()) };
  const at = Date.now();
  await ground.ledger.execute(key, submitCommand());
  await ground.ledger.execute(key, { kind: "schedule", node: "n", at, id: newId(at) });
  const { fence } = (await ground.ledger.load(key)).state as PlacedTask;
  await ground.ledger.execute(key, { kind: "grant", node: "n", fence, attempt: 1, at, id: newId(at) });
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  const id = newId(at);
  const source = async function* () {
    yield bytes;
  };
  const { sha256 } = await reads.store.put(objectName(key, id), source(), {
    bytesMax: 64 * MiB,
    now: Date.now,
  });
  const expires_at = at + 7 * 86_400_000;
  await ground.ledger.execute(key, {
    kind: "store_artifact",
    at,
    id,
    fence,
    attempt: 1,
    artifact: { name, bytes: bytes.length, sha256, media_type: contentType, expires_at },
    hosted: null,
    storedByAttempt: 0,
    limits: { files: 10, bytes: 640 * MiB },
  });
  return { task: key.task, name, sha256 };
}

const addressOf = ({ task, name }: { task: string; name: string }) =>
  `${origin}/v1/tasks/${task}/artifacts/${encodeURIComponent(name)}`;

async function ask(url: string, headers: Record<string, string> = {}, method = "GET") {
  const answer = await fetch(url, { method, headers: { authorization: `Bearer ${testToken}`, ...headers } });
  const body = Buffer.from(await answer.arrayBuffer());
  return { status: answer.status, headers: answer.headers, body };
}

const codeOf = (answer: { body: Buffer }) => JSON.parse(answer.body.toString()).code as string;

describe("a file over the API", () => {
  const content = Buffer.from(Array.from({ length: 1_000 }, (_, index) => index % 251));
  let file: Published;
  let address: string;
  beforeAll(async () => {
    file = await published("out/page.html", content);
    address = addressOf(file);
  });

  it("comes whole, as an attachment that nothing opens or runs", async () => {
    const { status, headers, body } = await ask(address);
    expect(status).toBe(200);
    expect(body.equals(content)).toBe(true);
    expect(Object.fromEntries(headers)).toMatchObject({
      "content-type": "text/html",
      "content-length": "1000",
      "x-content-type-options": "nosniff",
      "content-disposition": `attachment; filename="page.html"; filename*=UTF-8''page.html`,
      "content-security-policy": expect.stringContaining("sandbox"),
      "accept-ranges": "bytes",
      "cache-control": "private, no-cache",
      etag: `"${file.sha256}"`,
    });
    const bare = await ask(address.replace("%2F", "/"));
    expect(bare.body.equals(content)).toBe(true);
  });

  it.each([
    ["bytes=0-0", "bytes 0-0/1000", 0, 1],
    ["bytes=10-19", "bytes 10-19/1000", 10, 20],
    ["Bytes=990-", "bytes 990-999/1000", 990, 1000],
    ["bytes=-7", "bytes 993-999/1000", 993, 1000],
    ["bytes=-5000", "bytes 0-999/1000", 0, 1000],
    ["bytes=5-99999999999999999999999", "bytes 5-999/1000", 5, 1000],
  ])("is given in part for %s", async (range, contentRange, from, to) => {
    const { status, headers, body } = await ask(address, { range });
    expect([status, headers.get("content-range")]).toEqual([206, contentRange]);
    expect(body.equals(content.subarray(from, to))).toBe(true);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-disposition")).toMatch(/^attachment/);
  });

  it.each(["bytes=1000-", "bytes=5000-6000", "bytes=-0", "bytes=99999999999999999999-"])(
    "has no part %s",
    async (range) => {
      const answer = await ask(address, { range });
      expect([answer.status, codeOf(answer)]).toEqual([416, "RANGE_NOT_SATISFIABLE"]);
      expect(answer.headers.get("content-range")).toBe("bytes */1000");
    },
  );

  it.each(["bytes=0-1,5-6", "bytes=9-1", "lines=1-2", "bytes=", "bytes=a-b", "nonsense"])(
    "comes whole for %s, which a server may ignore",
    async (range) => {
      const { status, headers, body } = await ask(address, { range });
      expect([status, headers.get("content-range"), body.length]).toEqual([200, null, 1000]);
    },
  );

  it("is described by HEAD, whose answer no range changes", async () => {
    for (const headers of [{}, { range: "bytes=1-2" }, { range: "bytes=5000-" }]) {
      const answer = await ask(address, headers, "HEAD");
      expect(answer.status, JSON.stringify(headers)).toBe(200);
      expect(answer.body.length).toBe(0);
      expect(answer.headers.get("content-length")).toBe("1000");
      expect(answer.headers.get("etag")).toBe(`"${file.sha256}"`);
    }
    expect((await ask(addressOf({ ...file, name: "none" }), {}, "HEAD")).status).toBe(404);
  });

  it("is not sent again to one who has it, and a part only of the version that they have", async () => {
    const tag = `"${file.sha256}"`;
    for (const has of [tag, `W/${tag}`, `"x", ${tag}`, "*"]) {
      const answer = await ask(address, { "if-none-match": has, range: "bytes=1-2" });
      expect([answer.status, answer.body.length, answer.headers.get("etag")], has).toEqual([304, 0, tag]);
    }
    expect((await ask(address, { "if-none-match": '"other"' })).status).toBe(200);
    const range = "bytes=1-2";
    expect((await ask(address, { range, "if-range": tag })).status).toBe(206);
    for (const other of ['"other"', `W/${tag}`, "Thu, 01 Jan 2026 00:00:00 GMT"]) {
      expect((await ask(address, { range, "if-range": other })).status, other).toBe(200);
    }
  });

  it("has no part where it is empty, and comes whole all the same", async () => {
    const empty = addressOf(await published("empty", ""));
    expect(await ask(empty)).toMatchObject({ status: 200, body: Buffer.alloc(0) });
    expect((await ask(empty, { range: "bytes=0-" })).status).toBe(416);
  });

  it.each([
    [
      'a"b; filename=evil.exe',
      `attachment; filename="a_b; filename=evil.exe"; filename*=UTF-8''a%22b%3B%20filename%3Devil.exe`,
    ],
    [
      "größe ½ 日本.txt",
      `attachment; filename="gr__e _ __.txt"; filename*=UTF-8''gr%C3%B6%C3%9Fe%20%C2%BD%20%E6%97%A5%E6%9C%AC.txt`,
    ],
    ["d/100%'(a)*.txt", `attachment; filename="100_'(a)*.txt"; filename*=UTF-8''100%25%27%28a%29%2A.txt`],
  ])("is called %s without a way to break the header", async (name, disposition) => {
    const nasty = await published(name, "x");
    const { status, headers } = await ask(addressOf(nasty));
    expect([status, headers.get("content-disposition")]).toEqual([200, disposition]);
  });

  it("is not there for another tenant, just as a task that never was", async () => {
    const never = newId(Date.now());
    const others = { authorization: `Bearer ${othersToken}` };
    const answers = await Promise.all([
      ask(address, others),
      ask(addressOf({ ...file, task: never }), others),
      ask(addressOf({ ...file, task: never })),
      ask(address.replace(/\/out.*$/, ""), others),
    ]);
    const said = answers.map(({ status, body }) => {
      const { instance: _, correlation_id: __, ...rest } = JSON.parse(body.toString());
      return { status, ...rest };
    });
    expect(said[0]).toMatchObject({ status: 404, code: "TASK_NOT_FOUND" });
    for (const one of said) expect(one).toEqual(said[0]);
    for (const { headers } of answers) {
      for (const told of ["etag", "content-disposition", "last-modified"])
        expect(headers.get(told)).toBeNull();
    }
    for (const name of ["none", "..", "../x", "a\\b"]) {
      const answer = await ask(addressOf({ ...file, name }));
      expect(answer.status, name).toBe(404);
    }
  });

  it("says that its time is over, from that very moment on", async () => {
    aheadMs = 8 * 86_400_000;
    try {
      for (const headers of [{}, { range: "bytes=0-1" }, { "if-none-match": `"${file.sha256}"` }]) {
        const answer = await ask(address, headers as Record<string, string>);
        expect([answer.status, codeOf(answer)]).toEqual([410, "ARTIFACT_EXPIRED"]);
      }
    } finally {
      aheadMs = 0;
    }
  });

  it("is read from the bucket only as fast as its reader takes it, and no further once they go", async () => {
    const large = await published("large", Buffer.alloc(48 * MiB, 7));
    bucket.bytesRead = 0;
    const headers = { authorization: `Bearer ${testToken}` };
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      httpGet(addressOf(large), { headers, agent: false }, resolve).on("error", reject);
    });
    await once(answer, "readable");
    answer.destroy();
    await waitFor("the bucket to be left", () => bucket.readers === 0);
    expect(bucket.bytesRead).toBeLessThan(32 * MiB);
  });
});

describe("a file at the command line", () => {
  const home = tempHome();
  const folder = join(home.path, "here");
  const target = join(folder, "file");
  beforeAll(() => void mkdirSync(folder));
  afterAll(() => home.remove());

  async function get(task: string, name: string, more: readonly string[], url = origin) {
    const env = { CAZI_HOME: home.path, CAZI_URL: url, CAZI_TOKEN: testToken };
    return runCommand(["artifacts", "get", task, name, ...more], { env });
  }

  it("is written whole, never over another unless told to, and never through a link", async () => {
    const bytes = Buffer.alloc(300 * KiB, 5);
    const { task } = await published("out/file", bytes);
    expect(await get(task, "out/file", ["-o", target])).toMatchObject({ code: 0 });
    expect(readFileSync(target).equals(bytes)).toBe(true);
    writeFileSync(target, "mine");
    const again = await get(task, "out/file", ["-o", target]);
    expect([again.code, again.stderr]).toEqual([5, expect.stringContaining("FILE_EXISTS")]);
    expect(readFileSync(target, "utf8")).toBe("mine");
    rmSync(target);
    const elsewhere = join(home.path, "elsewhere");
    symlinkSync(elsewhere, target);
    expect((await get(task, "out/file", ["-o", target])).code).toBe(5);
    expect((await get(task, "out/file", ["-o", target, "--force"])).code).toBe(0);
    expect(existsSync(elsewhere)).toBe(false);
    expect(readFileSync(target).equals(bytes)).toBe(true);
    expect((await get(task, "../file", [])).stderr).toContain("ARTIFACT_NAME_INVALID");
    expect(readdirSync(folder)).toEqual(["file"]);
  });

  it.each([
    ["is cut on its way", 10],
    ["is another than was stored", 4],
  ])("leaves nothing where it %s, and what was there stays", async (_why, length) => {
    writeFileSync(target, "mine");
    const liar = createServer((_request, response) => {
      response.writeHead(200, {
        etag: `"${"0".repeat(64)}"`,
        "content-length": length,
        "content-disposition": 'attachment; filename="../../evil"',
      });
      response.write("xxxx", () => response.destroy());
    });
    liar.listen(0, "127.0.0.1");
    await once(liar, "listening");
    const { port } = liar.address() as AddressInfo;
    const from = `http://127.0.0.1:${port}`;
    const answer = await get(newId(Date.now()), "file", ["-o", target, "--force"], from);
    liar.close();
    expect(answer.code).not.toBe(0);
    expect(answer.stderr).toContain("ARTIFACT_STORE_UNAVAILABLE");
    expect(readFileSync(target, "utf8")).toBe("mine");
    expect(readdirSync(folder)).toEqual(["file"]);
  });
});

it("a small file is a resource of MCP", async () => {
  const client = await api.client2025();
  const { task, name } = await published("out/größe.txt", "hello");
  const uri = `cazi://tasks/${task}/artifacts/${encodeURIComponent(name)}`;
  expect((await client.readResource({ uri })).contents).toMatchObject([{ text: "hello" }]);
});
