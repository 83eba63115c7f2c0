/** The API over parts in memory, listening, with MCP at `/mcp`, and clients of both eras of the protocol. */
import {
  Client as Client2026,
  StreamableHTTPClientTransport as Http2026,
} from "@modelcontextprotocol/client";
import { Client as Client2025 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as Http2025 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { mcpOverHttp } from "../../deploy/compose/mcpOverHttp.ts";
import type { ApiPorts } from "../../services/control-plane/ports.ts";
import { type ApiFixture, apiFixture, testToken } from "../../services/control-plane/testing/apiFixture.ts";
import { systemClock } from "../../services/kernel/clock.ts";
import { log as silent } from "./silentLog.ts";

export interface McpFixture extends ApiFixture {
  /** Of the endpoint. */
  readonly url: URL;
  /** A request with the token, as a client would send it. */
  post(body: unknown, headers?: Readonly<Record<string, string>>, signal?: AbortSignal): Promise<Response>;
  client2025(): Promise<Client2025>;
  client2026(): Promise<Client2026>;
  stop(): Promise<void>;
}

/** @param port where it listens; a free one unless given */
export async function mcpFixture(change: Partial<ApiPorts> = {}, port = 0): Promise<McpFixture> {
  const api = await apiFixture({ mcp: mcpOverHttp({ clock: systemClock, log: silent }), ...change });
  const url = new URL("/mcp", await api.app.listen({ host: "127.0.0.1", port }));
  const authorization = `Bearer ${testToken}`;
  const requestInit = { headers: { authorization } };
  const opened: { close(): Promise<void> }[] = [];
  return {
    ...api,
    url,
    post: (body, headers = {}, signal) =>
      fetch(url, {
        method: "POST",
        ...(signal && { signal }),
        headers: {
          authorization,
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          ...headers,
        },
        body: typeof body === "string" ? body : JSON.stringify(body),
      }),
    client2025: async () => {
      const client = new Client2025({ name: "test", version: "0.0.0" });
      await client.connect(new Http2025(url, { requestInit }) as Parameters<Client2025["connect"]>[0]);
      opened.push(client);
      return client;
    },
    client2026: async () => {
      const client = new Client2026(
        { name: "test", version: "0.0.0" },
        { versionNegotiation: { mode: { pin: "2026-07-28" } } },
      );
      await client.connect(new Http2026(url, { requestInit }));
      opened.push(client);
      return client;
    },
    stop: async () => {
      await Promise.all(opened.map((client) => client.close()));
      api.stopping.abort();
      await api.app.close();
    },
  };
}
