/** The tools by the protocol's own clients over real HTTP, and the same acts by REST, on one API that listens. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type McpFixture, mcpFixture } from "./testing/mcpFixture.ts";

const spec = { image: "cazi/toolbox:latest", command: ["echo", "hi"], rationale: "a test" };
const yaml = 'image: cazi/toolbox:latest\ncommand: [echo, "hi"]\nrationale: a test\n';

interface Called {
  readonly isError: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came
  readonly json: any;
  readonly links: readonly string[];
}

type Call = (name: string, args?: Record<string, unknown>) => Promise<Called>;

let api: McpFixture;
const calls: Record<string, Call> = {};

beforeAll(async () => {
  api = await mcpFixture();
  const clients = { "2025": await api.client2025(), "2026": await api.client2026() };
  for (const [era, client] of Object.entries(clients)) {
    // The client checks each result against the tool's output schema once it knows it.
    await client.listTools();
    calls[era] = async (name, args = {}) => {
      const result = await client.callTool({ name, arguments: args });
      const [text, ...links] = result.content as { type: string; text: string; uri: string }[];
      const json = JSON.parse(text?.text ?? "null");
      if (!result.isError) expect(result.structuredContent).toEqual(json);
      expect(links.every((link) => link.type === "resource_link")).toBe(true);
      return { isError: result.isError === true, json, links: links.map((link) => link.uri) };
    };
  }
});
afterAll(() => api.stop());

async function rest(method: "GET" | "POST", path: string, body?: string, mediaType = "application/json") {
  return api.ask(method, path, { ...(body && { body }), headers: body ? { "content-type": mediaType } : {} });
}

/** What differs between two submits of one intent by any two doors. */
const own = {
  id: expect.any(String),
  submitted_at: expect.any(String),
  who: expect.any(Object),
};

describe.each(["2025", "2026"])("the same act by MCP of %s and by REST", (era) => {
  const call: Call = (...asked) => calls[era]!(...asked);

  it("submits a script, and names what is wrong with it by the tool's own arguments", async () => {
    const { json, links } = await call("run_script", {
      source: "emit({})",
      tools: ["echo"],
      wait_seconds: 0,
    });
    expect(json).toMatchObject({ status: "pending", done: false, output: null });
    expect(links).toEqual([`cazi://tasks/${json.id}`]);
    const { spec: kept } = (await rest("GET", `/v1/tasks/${json.id}`)).json;
    expect(kept).toMatchObject({ image: null, script: { source: "emit({})", tools: ["echo"] } });
    const refused = await call("run_script", { source: "1", tools: ["shell"], budgets: { max_event: 1 } });
    expect(refused.isError).toBe(true);
    expect(refused.json).toMatchObject({ code: "SPEC_INVALID" });
    expect(refused.json.errors.map((one: { pointer: string }) => one.pointer).sort()).toEqual([
      "/budgets/max_event",
      "/tools/0",
    ]);
  });

  it("submits a project, and names what is wrong with its policy", async () => {
    const files = (more: object) => ({
      "agent-policy.json": JSON.stringify({ schema_version: 1, agent: "main.js", ...more }),
      "main.js": "emit({})",
    });
    const { json } = await call("run_script", { project: files({}), context: { a: 1 }, wait_seconds: 0 });
    const { spec: kept } = (await rest("GET", `/v1/tasks/${json.id}`)).json;
    expect(kept).toMatchObject({ script: null, project: { files: files({}), context: { a: 1 } } });
    const refused = await call("run_script", { project: files({ tools: ["shell"] }) });
    expect(refused.json.errors).toEqual([
      { pointer: "/project/agent-policy.json", message: expect.stringContaining("/tools/0 no compartment") },
    ]);
  });

  it("submits the same task, from YAML text, JSON text and an object", async () => {
    const created = (await rest("POST", "/v1/tasks", JSON.stringify(spec))).json;
    const { spec: _, attempts: __, artifacts: ___, pull: ____, sinks: _____, ...byRest } = created;
    for (const given of [yaml, JSON.stringify(spec), spec]) {
      const { isError, json, links } = await call("submit_task", { spec: given });
      expect(isError).toBe(false);
      expect(json).toEqual({ ...byRest, ...own, truncated: false });
      expect(json.who.route).toBe("mcp");
      expect(links).toEqual([`cazi://tasks/${json.id}`]);
    }
  });

  it("gets, cancels and replays with the same answer", async () => {
    const { id } = (await call("submit_task", { spec })).json;
    const got = (await rest("GET", `/v1/tasks/${id}`)).json;
    expect((await call("get_task", { id })).json).toEqual({ ...got, artifacts_total: 0, truncated: false });
    const replayed = (await call("replay_task", { id })).json;
    expect(replayed).toMatchObject({ source: `replay:${id}`, spec_digest: got.spec_digest });
    const cancelled = (await call("cancel_task", { id, reason: "enough" })).json;
    expect(cancelled).toMatchObject({
      status: "cancelled",
      cancel: { reason: "enough", who: { route: "mcp" } },
    });
    const { truncated: _, ...byMcp } = cancelled;
    expect((await rest("POST", `/v1/tasks/${id}/cancel`, "{}")).json).toMatchObject(byMcp);
  });

  it("lists nodes, history and what is missing with the same answer", async () => {
    const { id } = (await call("submit_task", { spec })).json;
    expect((await call("list_nodes")).json).toEqual({
      ...(await rest("GET", "/v1/nodes")).json,
      truncated: false,
    });
    const history = (await rest("GET", `/v1/tasks/${id}/events`)).json;
    expect((await call("list_task_events", { id })).json).toEqual({ ...history, truncated: false });
    expect((await call("check_health")).json).toEqual((await rest("GET", "/readyz")).json);
  });

  it.each<[string, () => Promise<Called>, () => ReturnType<typeof rest>]>([
    [
      "a spec that is not valid",
      () => call("submit_task", { spec: { imge: "x" } }),
      () => rest("POST", "/v1/tasks", '{"imge":"x"}'),
    ],
    [
      "a text that is no YAML",
      () => call("submit_task", { spec: "a: [" }),
      () => rest("POST", "/v1/tasks", "a: [", "application/yaml"),
    ],
    [
      "a spec that is too large",
      () => call("submit_task", { spec: { ...spec, rationale: "x".repeat(300_000) } }),
      () => rest("POST", "/v1/tasks", JSON.stringify({ ...spec, rationale: "x".repeat(300_000) })),
    ],
    ["a task that is not there", () => call("get_task", { id: "nope" }), () => rest("GET", "/v1/tasks/nope")],
    [
      "the history of a task that is not there",
      () => call("list_task_events", { id: "nope" }),
      () => rest("GET", "/v1/tasks/nope/events"),
    ],
    [
      "to compare a task that is not there",
      () => call("compare_tasks", { id: "nope" }),
      () => rest("GET", "/v1/tasks/nope/comparison"),
    ],
    [
      "a time that is none",
      () => call("list_tasks", { submitted_after: "yesterday" }),
      () => rest("GET", "/v1/tasks?submitted_after=yesterday"),
    ],
    [
      "an argument out of bounds",
      () => call("list_tasks", { limit: 0 }),
      () => rest("GET", "/v1/tasks?limit=0"),
    ],
    ["an unknown argument", () => call("list_tasks", { states: 1 }), () => rest("GET", "/v1/tasks?states=1")],
  ])("refuses %s with the same code", async (_, byMcp, byRest) => {
    const [tool, request] = await Promise.all([byMcp(), byRest()]);
    expect(tool.isError).toBe(true);
    expect(tool.json.code).toBe(request.json.code);
    expect(tool.json.next_step).toMatch(/\.$/);
    expect((tool.json.errors ?? []).map((one: { pointer: string }) => one.pointer)).toEqual(
      (request.json.errors ?? []).map((one: { pointer: string }) => one.pointer),
    );
  });

  it.each<[string, string, object, string[], string]>([
    [
      "a log's cursor that is none",
      "get_task_logs",
      { id: "x", cursor: "zzz" },
      ["/cursor"],
      "The query is invalid: /cursor must be the position of a log entry, such as 1.120.0.",
    ],
    [
      "a log's cursor together with a time",
      "get_task_logs",
      { id: "0".repeat(26), cursor: "1.0.0", since: "1m" },
      ["/since"],
      "The query is invalid: /since is not for use together with /cursor.",
    ],
    [
      "a key that cannot be used",
      "replay_task",
      { id: "x", idempotency_key: "a b" },
      [],
      "The idempotency_key cannot be used.",
    ],
  ])("refuses %s in the names of the tool's arguments", async (_, tool, args, pointers, said) => {
    const { isError, json } = await call(tool, { ...args });
    expect(isError).toBe(true);
    expect((json.errors ?? []).map((one: { pointer: string }) => one.pointer)).toEqual(pointers);
    expect(json.message).toBe(said);
  });

  it("says of a list's cursor that is none how to get one", async () => {
    expect((await call("list_nodes", { cursor: "\n" })).json).toMatchObject({
      code: "CURSOR_INVALID",
      next_step: "Leave the cursor out, or use the next_cursor of an earlier answer.",
    });
  });

  it("refuses to cancel what is over with the same code", async () => {
    const { id } = (await call("submit_task", { spec })).json;
    await api.run(id);
    const byRest = await rest("POST", `/v1/tasks/${id}/cancel`, "{}");
    expect((await call("cancel_task", { id })).json.code).toBe(byRest.json.code);
    expect(byRest.json.code).toBe("TASK_ENDED");
  });

  it("compares a replay with its task with the same answer", async () => {
    const { id } = (await call("submit_task", { spec })).json;
    const replayed = (await call("replay_task", { id })).json.id;
    const early = await call("compare_tasks", { id: replayed });
    expect(early.json.code).toBe((await rest("GET", `/v1/tasks/${replayed}/comparison`)).json.code);
    await api.run(id);
    await api.run(replayed, { exit_code: 3 });
    const { json, links } = await call("compare_tasks", { id: replayed });
    expect(json).toEqual((await rest("GET", `/v1/tasks/${replayed}/comparison`)).json);
    expect(json).toMatchObject({ with: id, same: false, outcome: { same: false } });
    expect(links).toEqual([`cazi://tasks/${replayed}/output`, `cazi://tasks/${id}/output`]);
  });

  it("refuses another spec under a key that was used, and repeats the same one", async () => {
    const key = `k-${era}`;
    const first = await call("submit_task", { spec, idempotency_key: key });
    const again = await call("submit_task", { spec: yaml, idempotency_key: key });
    expect(again.json.id).toBe(first.json.id);
    const other = await call("submit_task", { spec: { ...spec, command: ["true"] }, idempotency_key: key });
    expect(other).toMatchObject({ isError: true, json: { code: "IDEMPOTENCY_KEY_REUSED" } });
  });

  it("waits: gives the state at the end of the wait, and the end when it comes", async () => {
    const { id } = (await call("submit_task", { spec })).json;
    expect(await call("wait_for_task", { id, timeout_seconds: 0 })).toMatchObject({
      isError: false,
      json: { done: false, status: "pending" },
    });
    const waiting = call("wait_for_task", { id });
    await api.run(id, { exit_code: 3 });
    const { json, links } = await waiting;
    expect(json).toMatchObject({ done: true, status: "failed", exit_code: 3, reason: "exit" });
    expect(links).toContain(`cazi://tasks/${id}/output`);
  });
});

describe("what a task printed", () => {
  it("comes in pages under the limit, whose cursors miss nothing", async () => {
    const call = calls["2025"]!;
    const { id } = (await call("submit_task", { spec })).json;
    const line = `${"x".repeat(200)}\n`;
    const bytes = Buffer.from(line.repeat(300));
    api.chunks.length = 0;
    const chunk = { node: "n1", attempt: 1, stream: "stdout", offset: 0, at: 1, dropped: null } as const;
    api.chunks.push({ ...chunk, bytes });
    await api.run(id, { stdout: bytes.length });
    let lines = 0;
    let cursor: string | null = null;
    do {
      const { json } = await call("get_task_logs", { id, ...(cursor !== null && { cursor }) });
      expect(JSON.stringify(json).length).toBeLessThan(20_000);
      lines += json.data.length;
      cursor = json.next_cursor;
    } while (cursor !== null);
    expect(lines).toBe(300);
    const found = await call("get_task_logs", { id, grep: "NOT THERE", ignore_case: true, since: "1d" });
    expect(found.json).toMatchObject({ data: [], partial: false });
    const all = await call("get_task_logs", { id, grep: line.slice(0, 3).toUpperCase(), ignore_case: true });
    expect(all.json.data[0].text).toContain(line.slice(0, 3));
    const output = (await call("get_task_output", { id })).json;
    expect(output).toMatchObject({ truncated: true, complete: true, bytes: bytes.length });
    expect(output.value.startsWith(line)).toBe(true);
  });
});
