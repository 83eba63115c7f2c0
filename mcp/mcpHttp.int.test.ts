/** `/mcp` over real HTTP: resources, prompts, completions, progress, and what a request must bring. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { testToken } from "../services/control-plane/testing/apiFixture.ts";
import { waitFor } from "../test/support/waitFor.ts";
import { type McpFixture, mcpFixture } from "./testing/mcpFixture.ts";

const spec = { image: "cazi/toolbox:latest", command: ["echo", "hi"], rationale: "a test" };
const chunk = { node: "n1", attempt: 1, stream: "stdout", offset: 0, at: 1, dropped: null } as const;

let api: McpFixture;
let client: Awaited<ReturnType<McpFixture["client2025"]>>;
let modern: Awaited<ReturnType<McpFixture["client2026"]>>;

beforeAll(async () => {
  api = await mcpFixture();
  client = await api.client2025();
  modern = await api.client2026();
});
beforeEach(() => {
  api.chunks.length = 0;
});
afterAll(() => api.stop());

async function submit(change: object = {}): Promise<string> {
  const { json } = await api.ask("POST", "/v1/tasks", {
    body: JSON.stringify({ ...spec, ...change }),
    headers: { "content-type": "application/json" },
  });
  return json.id;
}

/** A task that printed these bytes and ended. */
async function ended(bytes: Uint8Array, outcome: { exit_code?: number } = {}): Promise<string> {
  const id = await submit();
  api.chunks.push({ ...chunk, bytes: Buffer.from(bytes) });
  await api.run(id, { stdout: bytes.length, ...outcome });
  return id;
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came
async function readJson(uri: string): Promise<any> {
  const { contents } = await client.readResource({ uri });
  expect(contents[0]).toMatchObject({ uri, mimeType: "application/json" });
  return JSON.parse((contents[0] as { text: string }).text);
}

const envelope = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "0.0.0" },
  "io.modelcontextprotocol/clientCapabilities": {},
};
const message = (method: string, params: object = {}, id = 1) => ({ jsonrpc: "2.0", id, method, params });

describe("resources", () => {
  it("are the newest tasks, in pages, after what is always there", async () => {
    const id = await submit();
    const { resources, nextCursor } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(
      expect.arrayContaining(["cazi://schemas/workload-spec", "cazi://nodes", `cazi://tasks/${id}`]),
    );
    expect(nextCursor).toBeUndefined();
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      "cazi://nodes/{name}",
      "cazi://tasks/{id}",
      "cazi://tasks/{id}/spec",
      "cazi://tasks/{id}/events{?cursor}",
      "cazi://tasks/{id}/logs{?cursor,stream}",
      "cazi://tasks/{id}/output",
      "cazi://tasks/{id}/comparison{?with}",
      "cazi://tasks/{id}/artifacts",
      "cazi://tasks/{id}/artifacts/{name}",
      "cazi://tasks/{id}/output/raw{?stream,attempt}",
    ]);
  });

  it("hold the same JSON as the tools", async () => {
    const id = await ended(Buffer.from("one\ntwo\n"));
    const tool = async (name: string, args: object = { id }) =>
      (await client.callTool({ name, arguments: { ...args } })).structuredContent;
    expect(await readJson(`cazi://tasks/${id}`)).toEqual(await tool("get_task"));
    expect(await readJson(`cazi://tasks/${id}/output`)).toEqual(await tool("get_task_output"));
    expect(await readJson(`cazi://tasks/${id}/events`)).toEqual(await tool("list_task_events"));
    expect(await readJson(`cazi://tasks/${id}/logs`)).toEqual({
      ...((await tool("get_task_logs")) as object),
      next_uri: null,
    });
    expect(await readJson(`cazi://tasks/${id}/spec`)).toMatchObject(spec);
    expect(await readJson("cazi://nodes")).toEqual(await tool("list_nodes", {}));
    expect(await readJson("cazi://nodes/b")).toMatchObject({ name: "b" });
  });

  it("give a log in pages whose next_uri misses nothing", async () => {
    const id = await ended(Buffer.from(`${"x".repeat(200)}\n`.repeat(300)));
    let lines = 0;
    for (let uri: string | null = `cazi://tasks/${id}/logs?stream=stdout`; uri !== null; ) {
      const page = await readJson(uri);
      expect(JSON.stringify(page).length).toBeLessThan(20_000);
      lines += page.data.length;
      uri = page.next_uri;
    }
    expect(lines).toBe(300);
  });

  it("give raw output as text where it is UTF-8, else as a blob of the very bytes", async () => {
    const text = await ended(Buffer.from("é\n"));
    const read = await client.readResource({ uri: `cazi://tasks/${text}/output/raw` });
    expect(read.contents[0]).toMatchObject({ text: "é\n", mimeType: "text/plain; charset=utf-8" });
    api.chunks.length = 0;
    const bytes = Buffer.from([0, 255, 10, 128]);
    const binary = await ended(bytes);
    const { contents } = await client.readResource({ uri: `cazi://tasks/${binary}/output/raw` });
    expect(contents[0]).toMatchObject({ mimeType: "application/octet-stream", _meta: { complete: true } });
    expect(Buffer.from((contents[0] as { blob: string }).blob, "base64")).toEqual(bytes);
  });

  it("refuse raw output that no client reads as one message, and say where it is", async () => {
    const id = await ended(Buffer.alloc(4 * 1024 * 1024 + 1, 120));
    await expect(client.readResource({ uri: `cazi://tasks/${id}/output/raw` })).rejects.toMatchObject({
      code: -32602,
      data: { code: "OUTPUT_TOO_LARGE", next_step: expect.stringContaining(`cazi output ${id} --raw`) },
    });
  });

  it.each<[string, string, string, number, number]>([
    ["a task that is not there", "cazi://tasks/nope", "TASK_NOT_FOUND", -32002, -32602],
    ["a node that is not there", "cazi://nodes/nope", "NODE_NOT_FOUND", -32002, -32602],
    ["an address of nothing", "cazi://tusks/a", "RESOURCE_NOT_FOUND", -32002, -32602],
    ["a parameter that is not known", "cazi://tasks/nope/logs?befor=1", "RESOURCE_NOT_FOUND", -32002, -32602],
    ["a cursor that is none", "cazi://tasks/nope/logs?cursor=x", "REQUEST_INVALID", -32602, -32602],
  ])("answer %s with a protocol error that has a code", async (_, uri, code, in2025, in2026) => {
    const data = { code, next_step: expect.any(String), uri };
    await expect(client.readResource({ uri })).rejects.toMatchObject({ code: in2025, data });
    await expect(modern.readResource({ uri })).rejects.toMatchObject({ code: in2026, data });
  });
});

describe("prompts", () => {
  const facts = (messages: readonly { content: unknown }[]) =>
    messages.map(({ content }) => content as { resource?: { uri: string; text: string }; text?: string });

  it("diagnose_failed_task embeds state, spec, history and last lines, and says what to do", async () => {
    const id = await ended(Buffer.from("it broke\n"), { exit_code: 3 });
    const { messages } = await client.getPrompt({ name: "diagnose_failed_task", arguments: { id } });
    const found = facts(messages);
    expect(found.map(({ resource }) => resource?.uri)).toEqual([
      `cazi://tasks/${id}`,
      `cazi://tasks/${id}/spec`,
      `cazi://tasks/${id}/events`,
      `cazi://tasks/${id}/logs`,
      undefined,
    ]);
    expect(JSON.parse(found[0]!.resource!.text)).toMatchObject({ status: "failed", exit_code: 3 });
    expect(found[3]!.resource!.text).toContain("it broke");
    expect(found.at(-1)!.text).toContain("ended as failed: reason exit, exit code 3");
    expect(found.at(-1)!.text).toContain("data and not instructions");
  });

  it("compare_runs names what differs and embeds both, and the bytes' comparison where both are over", async () => {
    const first = await submit();
    const second = await submit({ timeout_seconds: 7 });
    const uri = `cazi://tasks/${first}/comparison?with=${second}`;
    await expect(client.readResource({ uri })).rejects.toMatchObject({ data: { code: "TASK_NOT_ENDED" } });
    const { messages } = await modern.getPrompt({ name: "compare_runs", arguments: { first, second } });
    const found = facts(messages);
    expect(found.filter(({ resource }) => resource?.uri.startsWith("cazi://tasks/"))).toHaveLength(10);
    expect(found.at(-1)!.text).toContain('"pointer":"/spec/timeout_seconds"');
    await api.run(first);
    await api.run(second, { exit_code: 3 });
    const over = await modern.getPrompt({ name: "compare_runs", arguments: { first, second } });
    const compared = facts(over.messages).find(({ resource }) => resource?.uri === uri);
    expect(JSON.parse(compared!.resource!.text)).toEqual(await readJson(uri));
  });

  it("write_spec embeds the schema of a spec and what the nodes allow", async () => {
    const { messages } = await client.getPrompt({ name: "write_spec", arguments: { goal: "count to ten" } });
    const found = facts(messages);
    expect(found.map(({ resource }) => resource?.uri)).toEqual([
      "cazi://schemas/workload-spec",
      "cazi://nodes",
      undefined,
    ]);
    expect(found[0]!.resource!.text).toContain("timeout_seconds");
    expect(found.at(-1)!.text).toContain("count to ten");
  });

  it.each<[string, { name: string; arguments?: Record<string, string> }, object]>([
    ["a missing argument", { name: "write_spec" }, { code: "REQUEST_INVALID" }],
    [
      "an unknown argument",
      { name: "write_spec", arguments: { goal: "x", gaol: "y" } },
      { code: "REQUEST_INVALID" },
    ],
    [
      "an unknown prompt",
      { name: "write_spek" },
      { code: "PROMPT_UNKNOWN", next_step: expect.stringContaining("write_spec") },
    ],
    [
      "a task that is not there",
      { name: "diagnose_failed_task", arguments: { id: "nope" } },
      { code: "TASK_NOT_FOUND" },
    ],
  ])("refuse %s with a protocol error that has a code", async (_, asked, data) => {
    await expect(client.getPrompt(asked)).rejects.toMatchObject({ code: -32602, data });
    await expect(modern.getPrompt(asked)).rejects.toMatchObject({ code: -32602, data });
  });
});

describe("completions", () => {
  const task = { type: "ref/resource", uri: "cazi://tasks/{id}/logs{?cursor,stream}" } as const;

  it("give task ids by prefix, for templates and for prompts", async () => {
    const id = await submit();
    const prompt = { type: "ref/prompt", name: "diagnose_failed_task" } as const;
    for (const ref of [task, prompt]) {
      const { completion } = await client.complete({ ref, argument: { name: "id", value: id.slice(0, 20) } });
      expect(completion.values).toContain(id);
      expect(completion.values.every((value) => value.startsWith(id.slice(0, 20)))).toBe(true);
    }
    const none = await modern.complete({ ref: task, argument: { name: "id", value: "zzz" } });
    expect(none.completion).toMatchObject({ values: [], total: 0, hasMore: false });
  });

  it("give node names and streams, and nothing for what has no known values", async () => {
    const complete = async (uri: string, name: string, value: string) =>
      (await client.complete({ ref: { type: "ref/resource", uri }, argument: { name, value } })).completion
        .values;
    expect(await complete("cazi://nodes/{name}", "name", "")).toEqual(["a", "b", "c"]);
    expect(await complete(task.uri, "stream", "stdo")).toEqual(["stdout"]);
    expect(await complete(task.uri, "cursor", "1")).toEqual([]);
    expect(await complete(task.uri, "constructor", "")).toEqual([]);
    await expect(complete("cazi://nothing/{id}", "id", "")).rejects.toMatchObject({
      data: { code: "RESOURCE_NOT_FOUND" },
    });
  });
});

describe("a wait", () => {
  type Notice = {
    readonly progress: number;
    readonly total?: number | undefined;
    readonly message?: string | undefined;
  };
  type Wait = (id: string, onprogress: (now: Notice) => void) => Promise<{ [member: string]: unknown }>;
  const asked = (id: string) => ({ name: "wait_for_task", arguments: { id, timeout_seconds: 30 } });

  it.each<[string, Wait]>([
    ["2025", (id, onprogress) => client.callTool(asked(id), undefined, { onprogress })],
    ["2026", (id, onprogress) => modern.callTool(asked(id), { onprogress })],
  ])("of %s tells status changes and elapsed time as progress", async (_, wait) => {
    const id = await submit();
    const told: Notice[] = [];
    const waiting = wait(id, (now) => void told.push(now));
    await waitFor("the first notice", () => told.length > 0);
    await api.run(id);
    expect((await waiting).structuredContent).toMatchObject({ done: true, status: "succeeded" });
    expect(told[0]).toMatchObject({ total: 30, message: expect.stringMatching(/^pending: .*waited 0 s$/) });
    expect(told.at(-1)!.message).toMatch(/^succeeded on n1, attempt 1, waited \d+ s$/);
    for (const [index, { progress }] of told.slice(1).entries()) {
      expect(progress).toBeGreaterThan(told[index]!.progress);
    }
  });

  it.each<[string, object, Record<string, string>]>([
    ["2025", {}, {}],
    [
      "2026",
      envelope,
      { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "wait_for_task" },
    ],
  ])("of %s that its client leaves ends, and the task goes on", async (_, _meta, headers) => {
    const id = await submit();
    let waits = 0;
    const count = ({ url }: { url?: string }, answer: { once(event: string, end: () => void): unknown }) => {
      if (url !== `/v1/tasks/${id}?wait=50`) return;
      waits++;
      answer.once("close", () => waits--);
    };
    api.app.server.on("request", count);
    const gone = new AbortController();
    const asked = message("tools/call", { name: "wait_for_task", arguments: { id }, _meta });
    const waiting = api.post(asked, headers, gone.signal);
    await waitFor("the wait to reach the API", () => waits === 1);
    gone.abort();
    await expect(waiting).rejects.toThrow();
    await waitFor("the wait to end", () => waits === 0);
    api.app.server.off("request", count);
    expect((await api.ask("GET", `/v1/tasks/${id}`)).json).toMatchObject({ status: "pending", cancel: null });
    await api.run(id);
    expect((await api.ask("GET", `/v1/tasks/${id}`)).json.status).toBe("succeeded");
  });

  it("does not hold up another call beside it", async () => {
    const id = await submit();
    const waiting = client.callTool({ name: "wait_for_task", arguments: { id, timeout_seconds: 30 } });
    const nodes = await Promise.all([client, modern].map((one) => one.callTool({ name: "list_nodes" })));
    expect(nodes.map(({ isError }) => isError ?? false)).toEqual([false, false]);
    await api.run(id);
    expect((await waiting).structuredContent).toMatchObject({ done: true });
  });

  it("ends when the server stops", async () => {
    const own = await mcpFixture();
    const { json } = await own.ask("POST", "/v1/tasks", {
      body: JSON.stringify(spec),
      headers: { "content-type": "application/json" },
    });
    const asked = { name: "wait_for_task", arguments: { id: json.id }, _meta: { progressToken: 1 } };
    const answer = await own.post(message("tools/call", asked));
    expect(answer.headers.get("content-type")).toContain("text/event-stream");
    const reading = answer.text().catch(() => "cut");
    await own.stop();
    await reading;
  });
});

describe("a request to /mcp", () => {
  const list = message("tools/list");
  const code = async (answer: Response) => [answer.status, ((await answer.json()) as { code: string }).code];

  it("without the right token is 401, with WWW-Authenticate", async () => {
    for (const authorization of ["", "Bearer wrong", "Basic eA=="]) {
      const answer = await api.post(list, { authorization });
      expect(answer.headers.get("www-authenticate")).toContain("Bearer");
      expect(await code(answer)).toEqual([401, "UNAUTHENTICATED"]);
    }
  });

  it("from a web page of another machine is refused, before its token is looked at", async () => {
    const foreign = await api.post(list, { origin: "http://evil.example", authorization: "" });
    expect(await code(foreign)).toEqual([403, "ORIGIN_NOT_ALLOWED"]);
    expect((await api.post(list, { origin: "http://localhost:6274" })).status).toBe(200);
  });

  it("that names another host is refused", async () => {
    const answer = await api.app.inject({
      method: "POST",
      url: "/mcp",
      headers: { host: "evil.example", authorization: `Bearer ${testToken}` },
    });
    expect([answer.statusCode, answer.json().code]).toEqual([403, "HOST_NOT_ALLOWED"]);
  });

  it("may name a host and come from an origin that the configuration allows", async () => {
    const own = await mcpFixture({ hosts: ["cazi.example"] });
    const from = (origin: string) => own.post(list, { origin }).then(({ status }) => status);
    expect(await from("https://cazi.example")).toBe(200);
    expect(await from("https://other.example")).toBe(403);
    await own.stop();
  });

  it("is a POST, and nothing else", async () => {
    for (const method of ["GET", "DELETE"]) {
      const answer = await fetch(api.url, { method, headers: { authorization: `Bearer ${testToken}` } });
      expect(answer.status).toBe(405);
      expect(answer.headers.get("allow")).toBe("POST");
    }
  });

  it.each<[string, string, number]>([
    ["is not JSON", "{", -32_700],
    ["is empty", "", -32_700],
    ["is JSON and no message", "7", -32_600],
    ["is an empty batch", "[]", -32_600],
    ["is a batch with what is no message", JSON.stringify([list, 1]), -32_600],
    ["is a batch of too many", JSON.stringify(Array(21).fill(list)), -32_600],
  ])("whose body %s is 400 with an error of JSON-RPC", async (_, body, expected) => {
    const answer = await api.post(body);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ jsonrpc: "2.0", error: { code: expected } });
  });

  it.each<[string, object, Record<string, string>]>([
    ["2025", {}, {}],
    [
      "2026",
      envelope,
      { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "list_nodes" },
    ],
  ])(
    "of %s that parses and is no message is -32600 with its id, and a trace that is none is passed over",
    async (_, _meta, headers) => {
      const asked = (more: object) =>
        api.post(message("tools/call", { name: "list_nodes", _meta: { ..._meta, ...more } }, 7), headers);
      const answer = await asked({ traceparent: 5, progressToken: {} });
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({ id: 7, error: { code: -32_600 } });
      expect(await (await asked({ traceparent: 5 })).json()).toMatchObject({ id: 7, result: {} });
    },
  );

  it.each<[string, object, string]>([
    ["tools/call", { name: "list_nodes", arguments: [1] }, "/arguments must be an object"],
    ["tools/call", {}, "/name is missing"],
    ["resources/read", { uri: 5 }, "/uri must be text"],
    ["prompts/get", { name: "write_spec", arguments: { goal: 3 } }, "/arguments/goal must be text"],
    ["completion/complete", {}, "/ref is missing; /argument is missing"],
    ["tools/list", { cursor: 3 }, "/cursor must be text"],
  ])("of %s with the parameters %j is -32602 in plain words, in both eras", async (method, params, said) => {
    const modernHeaders = { "mcp-protocol-version": "2026-07-28", "mcp-method": method };
    const answers = await Promise.all([
      api.post(message(method, params, 7)),
      api.post(message(method, { ...params, _meta: envelope }, 7), modernHeaders),
    ]);
    const sentence = `The parameters of ${method} are invalid: ${said}.`;
    for (const answer of answers) {
      expect(await answer.json()).toMatchObject({
        id: 7,
        error: {
          code: -32_602,
          message: sentence,
          data: { code: "REQUEST_INVALID", errors: expect.any(Array) },
        },
      });
    }
  });

  it("that is a batch of 2025-03-26 gets an answer to each", async () => {
    const batch = [message("tools/list", {}, 1), message("prompts/list", {}, 2)];
    const answers = (await (await api.post(batch)).json()) as { id: number }[];
    expect(answers.map(({ id }) => id).sort()).toEqual([1, 2]);
  });

  it("in a batch may be refused for its parameters beside one that is answered", async () => {
    const batch = [message("tools/call", {}, 1), message("prompts/list", {}, 2)];
    const answers = (await (await api.post(batch)).json()) as { id: number; error?: { code: number } }[];
    expect(answers.map(({ id, error }) => [id, error?.code]).sort()).toEqual([
      [1, -32_602],
      [2, undefined],
    ]);
  });

  it("of more than the API's bound is 413, and of another media type 415", async () => {
    expect(await code(await api.post("x".repeat(1_100_000)))).toEqual([413, "BODY_TOO_LARGE"]);
    const answer = await api.post("a: 1", { "content-type": "application/yaml" });
    expect(await code(answer)).toEqual([415, "UNSUPPORTED_MEDIA_TYPE"]);
  });

  it("that only notifies is 202", async () => {
    const answer = await api.post({ jsonrpc: "2.0", method: "notifications/initialized" });
    expect(answer.status).toBe(202);
  });

  it("in a version of the protocol that is not spoken is told which are", async () => {
    const version = "2099-01-01";
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": version,
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const asked = message("tools/list", { _meta });
    const answer = await api.post(asked, { "mcp-protocol-version": version, "mcp-method": "tools/list" });
    expect(answer.status).toBe(400);
    expect(JSON.stringify(await answer.json())).toContain("2026-07-28");
  });

  it("passes the caller's trace on to the API, and nothing that is none", async () => {
    const seen: unknown[] = [];
    const own = await mcpFixture();
    own.app.server.on("request", ({ url, headers }) => {
      if (url === "/v1/nodes?limit=20") seen.push(headers.traceparent);
    });
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    for (const given of [traceparent, "nonsense\r\nx: y"]) {
      await own.post(message("tools/call", { name: "list_nodes", _meta: { traceparent: given } }));
    }
    await own.post(message("tools/call", { name: "list_nodes" }), { traceparent });
    expect(seen).toEqual([traceparent, undefined, traceparent]);
    await own.stop();
  });
});

describe("a server that is started again", () => {
  it("goes on answering the clients it had: nothing is kept between two requests", async () => {
    const first = await mcpFixture();
    const old = await first.client2025();
    const young = await first.client2026();
    const asks = [old, young].map((one) => async () => {
      const { isError = false } = await one.callTool({ name: "list_nodes", arguments: {} });
      return { isError };
    });
    first.stopping.abort();
    await first.app.close();
    const second = await mcpFixture({}, Number(first.url.port));
    // The first request may go into a connection that the old process closed.
    for (const ask of asks) expect(await waitFor("an answer", ask)).toEqual({ isError: false });
    await Promise.all([old.close(), young.close()]);
    await second.stop();
  });
});
