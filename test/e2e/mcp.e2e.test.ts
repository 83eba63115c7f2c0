/** An agent's way: the protocol's own clients, over stdio and HTTP; its tasks run in real containers. */
import {
  Client as Client2026,
  StreamableHTTPClientTransport as Http2026,
} from "@modelcontextprotocol/client";
import { StdioClientTransport as Stdio2026 } from "@modelcontextprotocol/client/stdio";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tools as registered } from "../../mcp/registry.ts";
import { projectRoot } from "../../services/kernel/projectRoot.ts";
import { cliProgram } from "../support/builtCli.ts";
import { withProduct } from "../support/product.ts";

const product = withProduct();
let client: Client | undefined;

beforeAll(async () => {
  const args = [cliProgram, "mcp"];
  const transport = new StdioClientTransport({
    command: process.execPath,
    args,
    env: { ...product.env },
    cwd: projectRoot,
  });
  client = new Client({ name: "test", version: "0.0.0" });
  await client.connect(transport);
});
afterAll(() => client?.close());

// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came
async function call(name: string, args: Record<string, unknown>): Promise<any> {
  const result = await client!.callTool({ name, arguments: args });
  const [content] = result.content as { text: string }[];
  expect([result.isError ?? false, content?.text]).toEqual([false, JSON.stringify(result.structuredContent)]);
  return result.structuredContent;
}

describe("an agent", () => {
  it("finds the tools, with all that a client may assume of them", async () => {
    const { tools } = await client!.listTools();
    expect(tools.map(({ name }) => name)).toEqual(registered.map(({ name }) => name));
    for (const { outputSchema, annotations } of tools) {
      expect(outputSchema).toBeDefined();
      expect(Object.keys(annotations ?? {})).toHaveLength(5);
    }
    expect(client!.getInstructions()).toContain("submit_task");
  });

  it("submits YAML, waits, and reads output and log", async () => {
    const spec = [
      "image: cazi/toolbox:latest",
      `command: [sh, -c, 'echo "{\\"n\\": 1}"; echo warn >&2; exit 3']`,
      "output_format: json",
      "rationale: An agent's task.",
    ].join("\n");
    const { id } = await call("submit_task", { spec });
    let state: { done: boolean };
    do state = await call("wait_for_task", { id });
    while (!state.done);
    expect(state).toMatchObject({ status: "failed", reason: "exit", exit_code: 3, who: { route: "mcp" } });
    expect(await call("get_task_output", { id })).toMatchObject({ value: { n: 1 }, complete: true });
    const log = await call("get_task_logs", { id, stream: "stderr" });
    expect(log).toMatchObject({ data: [{ text: "warn", ending: "newline" }], next_cursor: null });
    const replayed = await call("replay_task", { id });
    expect(await call("wait_for_task", { id: replayed.id })).toMatchObject({
      source: `replay:${id}`,
      exit_code: 3,
    });
    const compared = await call("compare_tasks", { id: replayed.id });
    expect(compared).toMatchObject({ with: id, same: true, same_spec: true });
    expect((await call("list_tasks", {})).data.map((task: { id: string }) => task.id)).toEqual([
      replayed.id,
      id,
    ]);
  });

  it("cancels what it no longer needs", async () => {
    const { id } = await call("submit_task", {
      spec: { image: "cazi/toolbox:latest", command: ["sleep", "100"], timeout_seconds: 120 },
    });
    expect(await call("wait_for_task", { id, timeout_seconds: 0 })).toMatchObject({ done: false });
    await call("cancel_task", { id, reason: "not needed" });
    expect(await call("wait_for_task", { id })).toMatchObject({ done: true, status: "cancelled" });
  });

  it("sees the node that ran it", async () => {
    expect((await call("list_nodes", {})).data).toMatchObject([{ name: "local", status: "online" }]);
  });

  it("speaks 2026-07-28 over stdio and over HTTP, and finds the same tasks by both", async () => {
    const stdio = new Stdio2026({
      command: process.execPath,
      args: [cliProgram, "mcp"],
      env: { ...product.env },
      cwd: projectRoot,
    });
    const requestInit = { headers: { authorization: `Bearer ${product.token}` } };
    const http = new Http2026(new URL("/mcp", product.url), { requestInit });
    const found: unknown[] = [];
    for (const transport of [stdio, http]) {
      const young = new Client2026(
        { name: "test", version: "0.0.0" },
        { versionNegotiation: { mode: { pin: "2026-07-28" } } },
      );
      await young.connect(transport);
      const { resources } = await young.listResources();
      const [task] = resources.filter(({ uri }) => uri.startsWith("cazi://tasks/"));
      const { contents } = await young.readResource({ uri: `${task!.uri}/events` });
      found.push([task!.uri, contents]);
      await young.close();
    }
    expect(found[0]).toEqual(found[1]);
  });

  it("is what a person sees with cazi mcp", async () => {
    const made = await product.cazi(
      "mcp",
      "call",
      "submit_task",
      "--json",
      JSON.stringify({
        spec: { image: "cazi/toolbox:latest", command: ["printf", "\\377ok"] },
      }),
    );
    const { id } = JSON.parse(made.stdout.toString());
    await product.cazi("mcp", "call", "wait_for_task", `id=${id}`);
    const read = await product.cazi("mcp", "read", `cazi://tasks/${id}/output/raw`);
    expect([read.exit, read.stdout]).toEqual([0, Buffer.from([255, 111, 107])]);
    expect((await product.cazi("mcp", "read", "cazi://tasks/nope")).exit).toBe(3);
  });
});
