/** What is refused is refused with a stable code and a pointer, and leaves nothing behind. */
import { request as httpRequest } from "node:http";
import { beforeAll, describe, expect, it } from "vitest";
import { specDepthMax } from "../../services/domain/spec/limits.ts";
import type { ProblemBody } from "../support/apiRequests.ts";
import { ledgerLength, natsOfHome } from "../support/homeLedger.ts";
import { withProduct } from "../support/product.ts";
import { testFeed } from "./feedOfProduct.ts";

const product = withProduct({ CAZI_NODE_RUNTIME: "noop" });
const image = "cazi/toolbox:latest";
const yamlBase = `image: ${image}\ncommand: ["true"]\n`;
const nul = String.fromCharCode(0);

interface Case {
  readonly what: string;
  readonly spec: object | string;
  readonly code: string;
  /** Undefined where the fault is the whole. */
  readonly pointer?: string;
}

const jsonCases: readonly Case[] = [
  {
    what: "a negative number",
    spec: { image, timeout_seconds: -1 },
    code: "SPEC_INVALID",
    pointer: "/timeout_seconds",
  },
  {
    what: "a number too large for its field",
    spec: { image, max_retries: 21 },
    code: "SPEC_INVALID",
    pointer: "/max_retries",
  },
  {
    what: "a number that is not finite",
    spec: `{"image":"${image}","timeout_seconds":1e999}`,
    code: "SPEC_NUMBER",
    pointer: "/timeout_seconds",
  },
  { what: "a spec of 300 KiB", spec: { image, rationale: "x".repeat(300 * 1024) }, code: "SPEC_TOO_LARGE" },
  {
    what: "a thousand levels",
    spec: `{"image":"${image}","labels":${"[".repeat(1000)}${"]".repeat(1000)}}`,
    code: "SPEC_TOO_DEEP",
    pointer: `/labels${"/0".repeat(specDepthMax - 1)}`,
  },
  {
    what: "a key given twice",
    spec: `{"image":"a","image":"b"}`,
    code: "SPEC_DUPLICATE_KEY",
    pointer: "/image",
  },
  {
    what: "NUL in a command",
    spec: { image, command: ["a", `b${nul}c`] },
    code: "SPEC_INVALID",
    pointer: "/command/1",
  },
  {
    what: "NUL in an environment value",
    spec: { image, environment: { A: `x${nul}` } },
    code: "SPEC_INVALID",
    pointer: "/environment/A",
  },
  {
    what: "an image with a space",
    spec: { image: "cazi/toolbox latest" },
    code: "SPEC_INVALID",
    pointer: "/image",
  },
  {
    what: "an image that is a flag",
    spec: { image: "--privileged" },
    code: "SPEC_INVALID",
    pointer: "/image",
  },
  {
    what: "a mount of the engine's socket",
    spec: { image, mounts: [{ source: "/var/run/docker.sock", target: "/s" }] },
    code: "SPEC_INVALID",
    pointer: "/mounts/0/source",
  },
  {
    what: "a mount outside every node's allowlist",
    spec: { image, mounts: [{ source: "/srv/elsewhere", target: "/data" }] },
    code: "MOUNT_NOT_ALLOWED",
    pointer: "/mounts/0/source",
  },
  {
    what: "more than 64 KiB of environment",
    spec: { image, environment: { A: "x".repeat(65 * 1024) } },
    code: "SPEC_INVALID",
    pointer: "/environment",
  },
  {
    what: "a command that is a string",
    spec: { image, command: "echo hi" },
    code: "SPEC_INVALID",
    pointer: "/command",
  },
  {
    what: "an unknown field",
    spec: { image, tiemout_seconds: 1 },
    code: "SPEC_INVALID",
    pointer: "/tiemout_seconds",
  },
  {
    what: "a format that there is none of",
    spec: { image, output_format: "html" },
    code: "SPEC_INVALID",
    pointer: "/output_format",
  },
];

const yamlCases: readonly Case[] = [
  {
    what: "a huge number",
    spec: `${yamlBase}timeout_seconds: 1e300\n`,
    code: "SPEC_NUMBER",
    pointer: "/timeout_seconds",
  },
  {
    what: "infinity",
    spec: `${yamlBase}timeout_seconds: .inf\n`,
    code: "SPEC_NUMBER",
    pointer: "/timeout_seconds",
  },
  {
    what: "no number",
    spec: `${yamlBase}resources: {cpus: .nan}\n`,
    code: "SPEC_NUMBER",
    pointer: "/resources/cpus",
  },
  { what: "an alias bomb", spec: aliasBomb(), code: "SPEC_ALIAS", pointer: "/b/0" },
  {
    what: "deep nesting",
    spec: `${yamlBase}labels: ${"[".repeat(100)}${"]".repeat(100)}\n`,
    code: "SPEC_TOO_DEEP",
  },
  {
    what: "a key given twice in a map",
    spec: `${yamlBase}image: b\n`,
    code: "SPEC_DUPLICATE_KEY",
    pointer: "/image",
  },
  { what: "text that is no YAML", spec: "image: [", code: "SPEC_SYNTAX" },
  { what: "two documents", spec: `${yamlBase}---\n${yamlBase}`, code: "SPEC_MULTIPLE_DOCUMENTS" },
];

function aliasBomb(): string {
  const levels = ["a: &a [x, x]"];
  for (let level = 1; level < 10; level++) {
    const [name, below] = ["abcdefghij"[level], "abcdefghij"[level - 1]];
    levels.push(`${name}: &${name} [*${below}, *${below}, *${below}, *${below}]`);
  }
  return `${levels.join("\n")}\n`;
}

const pointersOf = (problem: ProblemBody) => problem.errors?.map((error) => error.pointer);

let lengthBefore: number;
beforeAll(async () => {
  lengthBefore = await ledgerLength(natsOfHome(product.home));
});

describe("a submit over HTTP", () => {
  it.each(jsonCases)("as JSON is refused with $code for $what", async ({ spec, code, pointer }) => {
    const answer = await product.api.request<ProblemBody>("POST", "/v1/tasks", { body: spec });
    expect(answer.headers.get("content-type")).toContain("application/problem+json");
    expect(answer.body).toMatchObject({ code, status: answer.status });
    expect([400, 413, 422]).toContain(answer.status);
    if (pointer !== undefined) expect(pointersOf(answer.body)).toContain(pointer);
  });

  it.each(yamlCases)("as YAML is refused with $code for $what", async ({ spec, code, pointer }) => {
    const answer = await product.api.request<ProblemBody>("POST", "/v1/tasks", {
      body: spec,
      headers: { "content-type": "application/yaml" },
    });
    expect(answer.body).toMatchObject({ code, status: answer.status });
    if (pointer !== undefined) expect(pointersOf(answer.body)).toContain(pointer);
  });

  it("above the limit is refused by its size, and one far above it harms nobody", async () => {
    const answer = await product.api.request<ProblemBody>("POST", "/v1/tasks", {
      body: Buffer.alloc(1024 * 1024 + 1, "x"),
    });
    expect([answer.status, answer.body.code]).toEqual([413, "BODY_TOO_LARGE"]);
    // The connection may be cut before all of it is sent.
    const far = product.api.request("POST", "/v1/tasks", { body: Buffer.alloc(64 * 1024 * 1024, "x") });
    expect(await far.then((one) => one.status).catch(() => 413)).toBe(413);
    expect((await product.api.request("GET", "/readyz")).status).toBe(200);
  });

  it("that is not UTF-8, or of another media type, is refused", async () => {
    const bytes = await product.api.request<ProblemBody>("POST", "/v1/tasks", {
      body: Buffer.from([0x7b, 0xff, 0x7d]),
    });
    expect(bytes.body.code).toBe("SPEC_SYNTAX");
    const form = await product.api.request<ProblemBody>("POST", "/v1/tasks", {
      body: "image=a",
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
    expect([form.status, form.body.code]).toEqual([415, "UNSUPPORTED_MEDIA_TYPE"]);
  });

  it("with a key that no header should carry is refused", async () => {
    const answer = await product.api.request<ProblemBody>("POST", "/v1/tasks", {
      body: { image },
      headers: { "idempotency-key": "has spaces in it" },
    });
    expect([answer.status, answer.body.code]).toEqual([400, "IDEMPOTENCY_KEY_INVALID"]);
  });
});

describe("the command line", () => {
  it.each([jsonCases[0]!, jsonCases[8]!, yamlCases[3]!, yamlCases[5]!])(
    "says $code and the place for $what, exits 2 and prints no stack",
    async ({ spec, code, pointer }) => {
      const text = typeof spec === "string" ? spec : JSON.stringify(spec);
      const done = await product.startCazi(["submit", "-"], text).done;
      expect([done.exit, done.stdout.toString()]).toEqual([2, ""]);
      expect(done.stderr.toString()).toContain(code);
      expect(done.stderr.toString()).toContain(pointer);
      expect(done.stderr.toString()).not.toMatch(/^\s+at /m);
    },
  );

  it("exits 125 from run for the same spec, for low numbers are the task's", async () => {
    expect((await product.startCazi(["run", "-"], "image: '--privileged'").done).exit).toBe(125);
  });
});

describe("who asks", () => {
  it.each([null, "wrong", "cazi_"])("is refused with 401 for the token %s", async (token) => {
    for (const path of ["/v1/tasks", "/v1/nodes"]) {
      const answer = await product.api.request<ProblemBody>("GET", path, { token });
      expect([answer.status, answer.body.code]).toEqual([401, "UNAUTHENTICATED"]);
    }
  });

  it("needs no token for a probe", async () => {
    for (const path of ["/healthz", "/readyz", "/openapi.json"]) {
      expect((await product.api.request("GET", path, { token: null })).status).toBe(200);
    }
  });

  it.each([
    ["DELETE", "/v1/tasks"],
    ["PUT", "/v1/nodes"],
    ["GET", "/v1/nothing"],
    ["GET", "/v1/tasks/%2e%2e%2ftoken"],
  ])("gets a problem document for %s %s", async (method, path) => {
    const answer = await product.api.request<ProblemBody>(method, path);
    expect([400, 404, 405]).toContain(answer.status);
    expect(answer.headers.get("content-type")).toContain("application/problem+json");
    expect(answer.body.code).toEqual(expect.any(String));
  });

  it("is refused under the name of another site, with or without a token", async () => {
    for (const headers of [{}, { authorization: `Bearer ${product.token}` }]) {
      expect(await statusFor({ host: "evil.example:7070", ...headers })).toBe(403);
    }
    expect(await statusFor({ host: "localhost", authorization: `Bearer ${product.token}` })).toBe(200);
  });
});

/** `fetch` sets the Host header itself. */
function statusFor(headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const call = httpRequest(`${product.url}/v1/tasks`, { headers, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    call.on("error", reject);
    call.end();
  });
}

describe("what was refused", () => {
  it("has left nothing in the ledger and in no list", async () => {
    expect((await product.api.list()).data).toEqual([]);
    expect(await ledgerLength(natsOfHome(product.home))).toBe(lengthBefore);
  });
});

// Beside bad input, since this product is started and quick.
testFeed(product);
