/** `serveStdio` in this process, over streams, for both eras of the protocol. */
import { PassThrough } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ApiFixture, apiFixture, testToken } from "../services/control-plane/testing/apiFixture.ts";
import { type ApiClient, createApiClient } from "../services/kernel/client/apiClient.ts";
import { systemClock } from "../services/kernel/clock.ts";
import { Rejection } from "../services/kernel/errors.ts";
import { waitFor } from "../test/support/waitFor.ts";
import { tools } from "./registry.ts";
import { serveStdio } from "./stdio.ts";

const spec = { image: "cazi/toolbox:latest", command: ["echo", "hi"], rationale: "a test" };
const envelope = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "0.0.0" },
  "io.modelcontextprotocol/clientCapabilities": {},
};
const initialize = {
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "0.0.0" } },
};

let api: ApiFixture;
let url: string;

beforeAll(async () => {
  api = await apiFixture();
  url = await api.app.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(async () => {
  expect(bugs).toEqual([]);
  api.stopping.abort();
  await api.app.close();
});

const real = () =>
  createApiClient({ url, token: testToken, route: "mcp", clock: systemClock, random: Math.random, fetch });

// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came
type Message = any;

const bugs: unknown[] = [];
const onBug = (error: unknown) => void bugs.push(error);

function start(connect: () => ApiClient = real) {
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  const answers: Message[] = [];
  let rest = "";
  stdout.on("data", (bytes) => {
    const lines = (rest + bytes).split("\n");
    rest = lines.pop() ?? "";
    answers.push(...lines.map((line) => JSON.parse(line)));
  });
  const ended = serveStdio({ connect, stdin, stdout, version: "0.0.0", clock: systemClock, onBug });
  let last = 0;
  const send = (message: object) => stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  return {
    stdin,
    answers,
    ended,
    send,
    ask: async (method: string, params: object = {}): Promise<Message> => {
      const id = ++last;
      send({ id, method, params });
      return waitFor(`the answer to ${method}`, () => answers.find((one) => one.id === id));
    },
  };
}

describe("a client on standard input", () => {
  it("that opens with the handshake of 2025 is served in that version", async () => {
    const { ask, stdin, ended } = start();
    const { result } = await ask("initialize", initialize.params);
    expect(result).toMatchObject({ protocolVersion: "2025-11-25", serverInfo: { name: "cazi" } });
    expect(result.capabilities).toEqual({ tools: {}, resources: {}, prompts: {}, completions: {} });
    const listed = (await ask("tools/list")).result.tools as { name: string }[];
    expect(listed.map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
    stdin.end();
    await ended;
  });

  it("that asks in the version of 2026 is served in that one, with no handshake", async () => {
    const { ask, stdin, ended } = start();
    const { result } = await ask("server/discover", { _meta: envelope });
    expect(result).toMatchObject({ supportedVersions: ["2026-07-28"] });
    const called = await ask("tools/call", { name: "list_nodes", arguments: {}, _meta: envelope });
    expect(called.result).toMatchObject({
      resultType: "complete",
      structuredContent: { data: expect.any(Array) },
    });
    stdin.end();
    await ended;
  });

  it("that asked for 2026 and then opens with 2025 is served in 2025", async () => {
    const { ask, stdin, ended } = start();
    await ask("server/discover", { _meta: envelope });
    const { result } = await ask("initialize", initialize.params);
    expect(result.protocolVersion).toBe("2025-11-25");
    stdin.end();
    await ended;
  });

  it.each<[string, object]>([
    ["2025", {}],
    ["2026", { _meta: envelope }],
  ])("of %s is told in plain words that parameters are wrong, and served after that", async (_, meta) => {
    const { ask, stdin, ended } = start();
    if (!("_meta" in meta)) await ask("initialize", initialize.params);
    const call = (params: object) => ask("tools/call", { name: "list_nodes", ...params, ...meta });
    expect((await call({ arguments: [1] })).error).toMatchObject({
      code: -32_602,
      message: "The parameters of tools/call are invalid: /arguments must be an object.",
    });
    expect((await ask("completion/complete", meta)).error.code).toBe(-32_602);
    expect((await call({})).result.structuredContent).toMatchObject({ data: expect.any(Array) });
    stdin.end();
    await ended;
  });

  it.each<[string, object]>([
    ["2025", {}],
    ["2026", { _meta: envelope }],
  ])("of %s that closes its end still gets what it asked before", async (_, meta) => {
    const { json } = await api.ask("POST", "/v1/tasks", {
      body: JSON.stringify(spec),
      headers: { "content-type": "application/json" },
    });
    const { send, stdin, answers, ended } = start();
    if (!("_meta" in meta)) send({ id: 1, ...initialize });
    const params = { name: "wait_for_task", arguments: { id: json.id, timeout_seconds: 1 }, ...meta };
    send({ id: 2, method: "tools/call", params });
    stdin.end();
    await ended;
    expect(answers.find(({ id }) => id === 2)?.result.structuredContent).toMatchObject({ done: false });
  });

  it("that sends nothing, or empty lines, ends with its input and no answer", async () => {
    for (const sent of ["", "\n \n"]) {
      const { stdin, answers, ended } = start();
      stdin.end(sent);
      await ended;
      expect(answers).toEqual([]);
    }
  });

  it("that sends no JSON at all is told so for each line, and ends with its input", async () => {
    const { stdin, answers, ended } = start();
    stdin.end("hello\n{\n");
    await ended;
    const refusal = { jsonrpc: "2.0", id: null, error: { code: -32_700, message: "The line is not JSON." } };
    expect(answers).toEqual([refusal, refusal]);
  });

  it.each<[string, object]>([
    ["2025", {}],
    ["2026", { _meta: envelope }],
  ])(
    "of %s gets an error of JSON-RPC for each line that is no message, and is served on",
    async (_, meta) => {
      const { ask, stdin, answers, ended } = start();
      const wrong: [line: string, id: unknown, code: number][] = [
        ["hello", null, -32_700],
        ['{"jsonrpc":"2.0","id":"a","method":', null, -32_700],
        ["7", null, -32_600],
        ["null", null, -32_600],
        ["[]", null, -32_600],
        ['[{"jsonrpc":"2.0","id":1,"method":"tools/list"}]', null, -32_600],
        ['{"id":"b","method":"tools/list"}', "b", -32_600],
        ['{"jsonrpc":"2.0","id":"c","method":5}', "c", -32_600],
        ['{"jsonrpc":"2.0","id":"d","method":"tools/list","params":5}', "d", -32_600],
        ['{"jsonrpc":"2.0","id":{},"method":"tools/list"}', null, -32_600],
        [
          '{"jsonrpc":"2.0","id":"e","method":"tools/list","params":{"_meta":{"progressToken":{}}}}',
          "e",
          -32_600,
        ],
      ];
      // What is not JSON says nothing of the version that is spoken: the line after it does.
      stdin.write("noise before\n");
      const served = async () => {
        const { result } = await ask("tools/call", { name: "list_nodes", arguments: {}, ...meta });
        expect(result.structuredContent).toMatchObject({ data: expect.any(Array) });
        return result;
      };
      if (!("_meta" in meta)) await ask("initialize", initialize.params);
      expect((await served()).resultType).toBe("_meta" in meta ? "complete" : undefined);
      const before = answers.length;
      stdin.write(wrong.map(([line]) => `${line}\n`).join(""));
      await served();
      expect(answers.slice(before, -1).map(({ id, error }) => [id, error.code])).toEqual(
        wrong.map(([, id, code]) => [id, code]),
      );
      stdin.end();
      await ended;
    },
  );

  it("may send a line in pieces, a letter cut in two included, with what is no message around it", async () => {
    const { stdin, answers, ended } = start();
    const line = JSON.stringify({ jsonrpc: "2.0", id: 1, ...initialize }).replace('"test"', '"tëst"');
    const bytes = Buffer.from(`noise\r\n${line}\r\nnoise`);
    for (const byte of bytes) stdin.write(Buffer.of(byte));
    stdin.end("\n");
    await ended;
    expect(answers.map(({ id, error }) => [id, error?.code])).toEqual(
      expect.arrayContaining([
        [null, -32_700],
        [1, undefined],
        [null, -32_700],
      ]),
    );
    expect(answers).toHaveLength(3);
  });

  it("is told what to do while Cazi does not run, and served once it does", async () => {
    let connect = (): ApiClient => {
      throw new Rejection("NOT_RUNNING", "no Cazi runs here");
    };
    const { ask, stdin, ended } = start(() => connect());
    await ask("initialize", initialize.params);
    const failed = await ask("tools/call", { name: "list_nodes", arguments: {} });
    expect(failed.result.isError).toBe(true);
    expect(JSON.parse(failed.result.content[0].text)).toMatchObject({
      code: "NOT_RUNNING",
      next_step: expect.stringContaining("start Cazi"),
    });
    expect((await ask("resources/read", { uri: "cazi://nodes" })).error).toMatchObject({
      data: { code: "NOT_RUNNING" },
    });
    connect = real;
    expect((await ask("tools/call", { name: "list_nodes", arguments: {} })).result.isError).toBeUndefined();
    stdin.end();
    await ended;
  });
});
