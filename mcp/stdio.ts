/** The tools over MCP on standard input and output: a thin adapter. Standard output carries the protocol only. */
import type { Readable, Writable } from "node:stream";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
} from "@modelcontextprotocol/sdk/types.js";
import type { ApiClient } from "../services/kernel/client/apiClient.ts";
import { callTool } from "./callTool.ts";
import { instructions } from "./instructions.ts";
import { tools } from "./registry.ts";
import { inputJsonSchema, outputJsonSchema } from "./toolSchemas.ts";

export interface StdioOptions {
  /** Finds the API; called for each tool call. */
  readonly connect: () => ApiClient;
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly version: string;
}

/** Serves until the client closes standard input; answers what was asked before. */
export async function serveStdio(options: StdioOptions): Promise<void> {
  const { stdin, stdout } = options;
  const closed = new Promise<void>((resolve) => {
    for (const event of ["end", "close", "error"]) stdin.once(event, () => resolve());
    stdout.once("error", () => resolve());
  });
  const { server, settled } = createMcpServer(options);
  await server.connect(new StdioServerTransport(stdin, stdout));
  await closed;
  await settled();
  await server.close();
}

/** The server, on no transport yet, and how to wait for the calls under way. */
export function createMcpServer(of: Pick<StdioOptions, "connect" | "version">): {
  readonly server: Server;
  settled(): Promise<void>;
} {
  const running = new Set<Promise<unknown>>();
  const server = new Server(
    { name: "cazi", title: "Cazi", version: of.version },
    { capabilities: { tools: {} }, instructions },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: tools.map((tool) => ({
      name: tool.name,
      title: tool.title,
      description: tool.description,
      inputSchema: inputJsonSchema(tool),
      outputSchema: outputJsonSchema(tool),
      annotations: { title: tool.title, ...tool.annotations },
    })),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
    const call = answer(of.connect, params, signal);
    running.add(call);
    return call.finally(() => running.delete(call));
  });
  return {
    server,
    settled: async () => {
      await Promise.allSettled(running);
      // The answers are sent a few steps of the event loop after the handlers settle.
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

async function answer(
  connect: () => ApiClient,
  params: { readonly name: string; readonly arguments?: Record<string, unknown> | undefined },
  signal: AbortSignal,
): Promise<CallToolResult> {
  const tool = tools.find(({ name }) => name === params.name);
  if (tool === undefined) throw new McpError(ErrorCode.InvalidParams, `there is no tool ${params.name}`);
  const result = await callTool(tool, { connect, input: params.arguments, call: { signal } });
  if ("failure" in result) {
    return { isError: true, content: [{ type: "text", text: JSON.stringify(result.failure) }] };
  }
  return {
    structuredContent: result.value as Record<string, unknown>,
    content: [{ type: "text", text: JSON.stringify(result.value) }],
  };
}
