/** MCP of 2026-07-28: no handshake, no session, each request says who it is from. */
import { parseJSONRPCMessage, Server } from "@modelcontextprotocol/server";
import { methods } from "../answers.ts";
import { callOf } from "../call.ts";
import { capabilities, type ServerParts } from "./server.ts";

/** How long a client may keep what only a new version of Cazi changes. */
const unchanging = { ttlMs: 300_000, cacheScope: "public" } as const;
const cacheHints = {
  "tools/list": unchanging,
  "prompts/list": unchanging,
  "resources/templates/list": unchanging,
  "server/discover": unchanging,
};

/** As of the library of 2025: what is wrong with JSON that is no message, to be said of it; else null. */
export function wrongMessage(message: unknown): string | null {
  try {
    parseJSONRPCMessage(message);
    return null;
  } catch {
    return "is JSON, but not a message of JSON-RPC 2.0 as MCP has it.";
  }
}

/** A server on no transport yet; one for each request over HTTP, one for a connection on standard input. */
export function createServer2026({ catalog, version, answers, clock }: ServerParts): Server {
  const { name, title, instructions } = catalog;
  const server = new Server({ name, title, version }, { capabilities, instructions, cacheHints });
  for (const method of methods) {
    server.setRequestHandler(method, async ({ params }, { mcpReq }) => {
      const { signal, _meta: meta, notify } = mcpReq;
      // biome-ignore lint/suspicious/noExplicitAny: the library checks the result against its schema
      return { ...(await answers[method](params, callOf({ signal, meta, clock, notify }))) } as any;
    });
  }
  return server;
}
