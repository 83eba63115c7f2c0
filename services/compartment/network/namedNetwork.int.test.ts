import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { type Asked, localEndpoints, type Reply } from "../testing/localEndpoints.ts";
import { newFolder, type ProgramRunOptions, runProgram } from "../testing/runProgram.ts";
import { configuredRegistry, endpointOf } from "./npmRegistry.ts";

const folder = newFolder();
afterAll(() => rmSync(folder, { recursive: true }));
let server: Awaited<ReturnType<typeof localEndpoints>> | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

const PATIENT = "--tool-timeout-ms=20000";
/** Runs one call and gives what the program was told, with the records and what the server was asked. */
async function call(
  tool: string,
  args: object,
  reply: (asked: Asked, count: number) => Reply,
  options: ProgramRunOptions = {},
) {
  server ??= await localEndpoints(reply);
  const before = server.asked.length;
  const source = `try { emit({ r: await callTool(${JSON.stringify(tool)}, ${JSON.stringify(args)}) }) } catch (e) { emit({ code: e.code, message: e.message }) }`;
  const flags = [`--tool=${tool}`, PATIENT, ...(options.flags ?? [])];
  const run = await runProgram(source, { network: server.network, ...options, flags });
  return { run, told: run.events[0], asked: server.asked.slice(before) };
}
const npm = { npmRegistry: "https://registry.example/base" };
const packument = {
  name: "left-pad",
  "dist-tags": { latest: "1.1.0" },
  versions: { "1.0.0": {}, "1.1.0": { version: "1.1.0", dist: { integrity: "sha512-x" } } },
};

const REDIRECTS = [301, 302, 303, 307, 308];
/** Calls a tool once for each kind of redirect; `there` is what it would be given where that points to. */
async function pointedElsewhere(tool: string, args: object, there: object) {
  const kinds = [...REDIRECTS];
  server = await localEndpoints(({ url }) =>
    url.endsWith("/elsewhere")
      ? { body: there }
      : { status: kinds.shift()!, headers: { location: "/elsewhere" }, body: there },
  );
  const source = `for (let n = 0; n < ${REDIRECTS.length}; n++) {
    try { emit({ r: await callTool(${JSON.stringify(tool)}, ${JSON.stringify(args)}) }) } catch (e) { emit({ code: e.code }) }
  }`;
  const flags = [`--tool=${tool}`, PATIENT];
  const { events } = await runProgram(source, { network: server.network, ...npm, flags });
  return { events, asked: server.asked.map(({ method, url }) => `${method} ${url}`) };
}

describe("a named network tool", () => {
  it("asks osv.query at its one address and gives the answer", async () => {
    const args = { package: { ecosystem: "npm", name: "x" }, version: "1" };
    const { told, asked, run } = await call("osv.query", args, () => ({ body: { vulns: [{ id: "V-1" }] } }));
    expect(told).toEqual({ r: { vulns: [{ id: "V-1" }] } });
    expect(asked).toMatchObject([{ method: "POST", url: "https://api.osv.dev/v1/query" }]);
    expect(JSON.parse(asked[0]!.body)).toEqual(args);
    expect(run.records[0]!.named_network).toEqual({
      "osv.query": {
        mode: "live",
        endpoint: "https://api.osv.dev/v1/query",
        credential_mode: "none",
        credential_env: null,
      },
    });
  });

  it("asks npm.metadata of the registry that the run was pinned to", async () => {
    const { told, asked } = await call(
      "npm.metadata",
      { package: "@scope/left-pad" },
      () => ({ body: packument }),
      npm,
    );
    expect(asked[0]!.url).toBe("https://registry.example/base/@scope%2fleft-pad");
    expect(told).toMatchObject({
      r: { name: "left-pad", versions: ["1.1.0", "1.0.0"], latest: { version: "1.1.0" } },
    });
  });

  it("reads GitHub with a token that nobody sees", async () => {
    const env = { GH: "gh-token-value-123" };
    const options = { env, flags: ["--github-token-env=GH"] };
    const echoed = { title: "t", note: "the token is gh-token-value-123" };
    const args = { owner: "o", repo: "r", number: 7 };
    const { told, asked, run } = await call("github.pr.read", args, () => ({ body: echoed }), options);
    expect(asked[0]).toMatchObject({ url: "https://api.github.com/repos/o/r/pulls/7" });
    expect(asked[0]!.headers.authorization).toBe("Bearer gh-token-value-123");
    expect(told).toEqual({ r: { title: "t", note: "the token is [REDACTED]" } });
    expect(run.log).not.toContain("gh-token-value-123");
    expect(run.records[0]!.named_network).toMatchObject({
      "github.pr.read": { credential_mode: "env", credential_env: "GH" },
    });
  });

  it("goes to one place below api.github.com, whichever reader it is, and to no place that it is sent to", async () => {
    const of = { owner: "o", repo: "r" };
    const readers: readonly (readonly [tool: string, args: object, path: string])[] = [
      ["issue.read", { number: 7 }, "/issues/7"],
      ["pr.read", { number: 7 }, "/pulls/7"],
      ["pr.files.list", { number: 7, page: 2 }, "/pulls/7/files?per_page=100&page=2"],
      ["release.latest.read", {}, "/releases/latest"],
      ["repo.read", {}, ""],
      ["file.read", { path: "a/b" }, "/contents/a/b"],
      ["compare.read", { base: "m", head: "f" }, "/compare/m...f"],
      ["commit.read", { ref: "main" }, "/commits/main"],
      ["workflow.run.read", { run_id: 9 }, "/actions/runs/9"],
      ["workflow.jobs.list", { run_id: 9 }, "/actions/runs/9/jobs?per_page=100&page=1"],
      ["check.runs.list", { ref: "main" }, "/commits/main/check-runs?per_page=100&page=1"],
    ];
    server = await localEndpoints(() => ({
      status: 302,
      headers: { location: "http://127.0.0.1:1/" },
      body: "",
    }));
    const calls = readers.map(([tool, args]) => [`github.${tool}`, { ...of, ...args }] as const);
    const stranger = readers.map(
      ([tool, args]) => [`github.${tool}`, { ...of, ...args, owner: "o/../x" }] as const,
    );
    const source = `for (const [tool, args] of ${JSON.stringify([...calls, ...stranger])}) {
      try { await callTool(tool, args) } catch (e) { emit({ code: e.code }) }
    }`;
    const run = await runProgram(source, {
      network: server.network,
      flags: [PATIENT, ...readers.map(([tool]) => `--tool=github.${tool}`)],
    });
    expect(server.asked.map(({ method, url }) => `${method} ${url}`)).toEqual(
      readers.map(([, , path]) => `GET https://api.github.com/repos/o/r${path}`),
    );
    const codes = ["NETWORK_REDIRECT", "TOOL_ARGUMENTS"].flatMap((code) => readers.map(() => ({ code })));
    expect(run.events).toEqual(codes);
  });

  it("encodes what a program names and refuses what is no name", async () => {
    const file = { path: "a b/c.txt", sha: "s", size: 2, encoding: "base64", content: "aGk=" };
    const args = { owner: "o", repo: "r", path: "a b/c.txt", ref: "x?y" };
    const { told, asked } = await call("github.file.read", args, () => ({ body: file }));
    expect(asked[0]!.url).toBe("https://api.github.com/repos/o/r/contents/a%20b/c.txt?ref=x%3Fy");
    expect(told).toEqual({ r: { path: "a b/c.txt", sha: "s", bytes: 2, content: "hi" } });
    for (const bad of [
      { owner: ".." },
      { repo: "r/../x" },
      { path: "../x" },
      { path: "/etc" },
      { ref: "a//b" },
    ]) {
      const refused = await call("github.file.read", { ...args, ...bad }, () => ({ body: {} }));
      expect(refused).toMatchObject({ told: { code: "TOOL_ARGUMENTS" }, asked: [] });
    }
  });

  it("asks osv.query at no place that api.osv.dev points to", async () => {
    const args = { package: { ecosystem: "npm", name: "x" } };
    const { events, asked } = await pointedElsewhere("osv.query", args, { vulns: [] });
    expect(events).toEqual(REDIRECTS.map(() => ({ code: "NETWORK_REDIRECT" })));
    expect(asked).toEqual(REDIRECTS.map(() => "POST https://api.osv.dev/v1/query"));
  });

  it("asks npm.metadata at no place that the registry points to", async () => {
    const { events, asked } = await pointedElsewhere("npm.metadata", { package: "x" }, packument);
    expect(events).toEqual(REDIRECTS.map(() => ({ code: "NETWORK_REDIRECT" })));
    expect(asked).toEqual(REDIRECTS.map(() => "GET https://registry.example/base/x"));
  });

  it("tells apart what an answer means", async () => {
    const replies: (readonly [Reply, string])[] = [
      [{ status: 404, body: {} }, "NETWORK_NOT_FOUND"],
      [{ status: 401, body: { message: "secret words" } }, "NETWORK_DENIED"],
      [{ status: 429, body: {} }, "NETWORK_LIMITED"],
      [{ status: 500, body: {} }, "NETWORK_STATUS"],
      [{ body: "not json" }, "NETWORK_MALFORMED"],
      [{ body: "[".repeat(100) + "]".repeat(100) }, "NETWORK_MALFORMED"],
      [{ body: [1] }, "NETWORK_MALFORMED"],
    ];
    let now = 0;
    for (const [, code] of replies) {
      const { told, asked } = await call("npm.metadata", { package: "x" }, () => replies[now]![0], npm);
      expect({ told, tries: asked.length }).toMatchObject({ told: { code }, tries: 1 });
      expect(JSON.stringify(told)).not.toContain("secret words");
      now++;
    }
  });

  it("tries again as often as it may, and records each try", async () => {
    const flags = ["--named-network-retry-attempts=2"];
    const reply = (_: Asked, count: number) =>
      count < 3 ? { status: 503, headers: { "retry-after": "0" }, body: {} } : { body: packument };
    const { told, asked, run } = await call("npm.metadata", { package: "x" }, reply, { ...npm, flags });
    expect(told).toMatchObject({ r: { name: "left-pad" } });
    expect(asked).toHaveLength(3);
    expect(run.of("named_network_retry")).toMatchObject([
      { attempt: 0, outcome: "failed", reason: "NETWORK_STATUS", backoff_ms: 0 },
      { attempt: 1, outcome: "failed" },
      { attempt: 2, outcome: "answered" },
    ]);
    await server!.close();
    server = null;
    const gaveUp = await call(
      "npm.metadata",
      { package: "x" },
      () => ({ status: 503, headers: { "retry-after": "0" }, body: {} }),
      { ...npm, flags },
    );
    expect(gaveUp).toMatchObject({ told: { code: "NETWORK_STATUS" } });
    expect(gaveUp.asked).toHaveLength(3);
  });

  it("ends with the tool's own time while a server says nothing", async () => {
    const never = {
      send: ({ signal }: { signal: AbortSignal }) =>
        new Promise<never>((_, reject) =>
          signal.addEventListener("abort", () => reject(new Error("aborted"))),
        ),
    };
    const { told, run } = await call("npm.metadata", { package: "x" }, () => ({ body: {} }), {
      ...npm,
      network: never,
      flags: ["--tool-timeout-ms=50"],
    });
    expect(told).toMatchObject({ code: "TOOL_TIMEOUT" });
    expect(run.status).toBe("ok");
  });

  it("takes the registry from npm itself", async () => {
    const env = { ...process.env, npm_config_registry: "http://127.0.0.1:9/base/" } as const;
    expect(await configuredRegistry({ cwd: folder, env })).toBe("http://127.0.0.1:9/base");
    expect(await configuredRegistry({ cwd: folder, env: { PATH: "/nowhere" } })).toBeNull();
    expect(endpointOf("https://u:p@registry.example/base/?x=1")).toBe("https://registry.example/base");
    expect(endpointOf("file:///etc/passwd")).toBeNull();
  });

  it("is not given where npm names no registry", async () => {
    const run = await runProgram("emit({});", { flags: ["--tool=npm.metadata"] });
    expect(run).toMatchObject({ status: "unsupported", events: [] });
    expect(run.of("unsupported_control")).toMatchObject([{ reason: "npm_registry_required_not_available" }]);
  });
});

describe("the cache of named network tools", () => {
  const dir = join(folder, "cache");
  const cached = (...more: string[]) => ({ ...npm, flags: [`--named-network-cache-dir=${dir}`, ...more] });
  const ask = (name: string, options: ProgramRunOptions) =>
    call("npm.metadata", { package: name }, () => ({ body: packument }), options);
  const types = (run: { records: readonly { type: string }[] }) =>
    run.records.map(({ type }) => type).filter((type) => type.startsWith("named_network_"));

  it("keeps an answer and serves it, also offline, and says so in the log", async () => {
    const first = await ask("a", cached());
    expect(types(first.run)).toEqual(["named_network_cache_miss", "named_network_cache_write"]);
    const second = await ask("a", cached());
    expect(second.asked).toEqual([]);
    expect(types(second.run)).toEqual(["named_network_cache_hit"]);
    const offline = await ask("a", cached("--named-network-cache-mode=offline"));
    expect(offline).toMatchObject({ told: first.told, asked: [] });
    const missing = await ask("b", cached("--named-network-cache-mode=offline"));
    expect(missing).toMatchObject({ told: { code: "NETWORK_OFFLINE" }, asked: [] });
    expect(types(missing.run)).toEqual(["named_network_cache_miss"]);
  });

  it("asks again when an answer is older than it may be", async () => {
    let nowMs = 1_000_000;
    const clock = { now: () => nowMs, monotonicMs: () => performance.now() };
    const options = { ...cached("--named-network-cache-max-age-ms=1000"), clock };
    await ask("old", options);
    nowMs += 1000;
    expect((await ask("old", options)).asked).toEqual([]);
    nowMs += 1;
    const stale = await ask("old", options);
    expect(types(stale.run)).toEqual(["named_network_cache_stale", "named_network_cache_write"]);
    nowMs -= 5000;
    expect((await ask("old", options)).asked).toHaveLength(1);
  });

  it("keeps no more than it may, and removes the oldest", async () => {
    rmSync(dir, { recursive: true, force: true });
    for (const name of ["a", "b", "c"]) await ask(name, cached("--named-network-cache-max-entries=2"));
    expect(readdirSync(dir)).toHaveLength(2);
    expect((await ask("c", cached())).asked).toEqual([]);
  });

  it("takes an entry that was changed for none", async () => {
    rmSync(dir, { recursive: true, force: true });
    await ask("a", cached());
    const path = join(dir, readdirSync(dir)[0]!);
    writeFileSync(path, readFileSync(path, "utf8").replace("left-pad", "evil-pad"));
    const { told, asked, run } = await ask("a", cached());
    expect(told).toMatchObject({ r: { name: "left-pad" } });
    expect(asked).toHaveLength(1);
    expect(types(run)[0]).toBe("named_network_cache_error");
  });

  it("serves what a token may see to that token's runs only", async () => {
    const flags = [`--named-network-cache-dir=${dir}`];
    const args = { owner: "o", repo: "r" };
    const own = { flags: [...flags, "--github-token-env=GH"], env: { GH: "gh-token-value-123" } };
    await call("github.repo.read", args, () => ({ body: { private: true } }), own);
    const other = await call("github.repo.read", args, () => ({ status: 404, body: {} }), { flags });
    expect(other.asked).toHaveLength(1);
  });

  it("fails no call when it cannot be written", async () => {
    mkdirSync(join(folder, "f"), { recursive: true });
    writeFileSync(join(folder, "f/file"), "");
    const { told, run } = await ask("a", {
      ...npm,
      flags: [`--named-network-cache-dir=${join(folder, "f/file")}`],
    });
    expect(told).toMatchObject({ r: { name: "left-pad" } });
    expect(types(run)).toContain("named_network_cache_error");
  });
});

describe("fixtures and the model", () => {
  it("answer osv.query from a file, and nothing else", async () => {
    const fixtures = [{ args: { package: { name: "x", ecosystem: "npm" } }, result: { vulns: [] } }];
    const options = {
      files: { "osv.json": JSON.stringify({ fixtures }) },
      flags: ["--osv-fixture=osv.json"],
    };
    const known = await call(
      "osv.query",
      { package: { ecosystem: "npm", name: "x" } },
      () => ({ body: {} }),
      options,
    );
    expect(known).toMatchObject({ told: { r: { vulns: [] } }, asked: [] });
    const other = await call(
      "osv.query",
      { package: { ecosystem: "npm", name: "y" } },
      () => ({ body: {} }),
      options,
    );
    expect(other).toMatchObject({ told: { code: "FIXTURE_MISSING" }, asked: [] });
    const broken = { ...options, files: { "osv.json": "[]" } };
    await expect(call("osv.query", {}, () => ({ body: {} }), broken)).rejects.toMatchObject({
      code: "FIXTURE_REFUSED",
    });
  });

  it("answer model.call by its id", async () => {
    const options = {
      files: { "m.json": '{"hello":{"output_text":"hi"}}' },
      flags: ["--model-fixture=m.json"],
    };
    const { told, asked } = await call("model.call", { id: "hello" }, () => ({ body: {} }), options);
    expect({ told, asked }).toEqual({ told: { r: { id: "hello", output_text: "hi" } }, asked: [] });
  });

  it("let model.call ask its provider with the operator's key", async () => {
    const flags = ["--model-provider=openai.responses", "--model-api-key-env=KEY"];
    const options = { flags, env: { KEY: "model-key-value" } };
    const output = [{ type: "message", content: [{ type: "output_text", text: "hi" }] }];
    const args = { id: "a", model: "m", input: "say hi" };
    const { told, asked, run } = await call(
      "model.call",
      args,
      () => ({ body: { model: "m-1", output } }),
      options,
    );
    expect(told).toEqual({ r: { id: "a", model: "m-1", output_text: "hi", usage: null } });
    expect(asked[0]!.url).toBe("https://api.openai.com/v1/responses");
    expect(asked[0]!.headers.authorization).toBe("Bearer model-key-value");
    expect(JSON.parse(asked[0]!.body)).toEqual({ model: "m", input: "say hi", store: false });
    expect(run.log).not.toContain("model-key-value");
    const without = await call("model.call", { id: "a" }, () => ({ body: {} }), options);
    expect(without).toMatchObject({ told: { code: "TOOL_ARGUMENTS" }, asked: [] });
  });

  it("refuse model.call without a provider and without fixtures", async () => {
    const run = await runProgram("", { flags: ["--tool=model.call"] });
    expect(run.of("unsupported_control")).toMatchObject([
      { reason: "model_provider_required_not_available" },
    ]);
  });
});
