/** MCP of 2025-11-25 and before, on the library that its clients were tried against. */
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  GetPromptRequestSchema,
  JSONRPCMessageSchema,
  JSONRPCRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
  type ServerNotification,
} from "@modelcontextprotocol/sdk/types.js";
import { pointerTo } from "../../services/domain/spec/jsonPointer.ts";
import { type Method, methods } from "../answers.ts";
import { callOf } from "../call.ts";
import { capabilities, type ServerParts } from "./server.ts";

const schemas = {
  "tools/list": ListToolsRequestSchema,
  "tools/call": CallToolRequestSchema,
  "resources/list": ListResourcesRequestSchema,
  "resources/templates/list": ListResourceTemplatesRequestSchema,
  "resources/read": ReadResourceRequestSchema,
  "prompts/list": ListPromptsRequestSchema,
  "prompts/get": GetPromptRequestSchema,
  "completion/complete": CompleteRequestSchema,
} as const satisfies Record<Method, unknown>;

/**
 * What is wrong with JSON that is no message of the protocol, or a batch that holds such, to be said of it; else null.
 * The library would say that it is no JSON.
 */
export function wrongMessage(message: unknown): string | null {
  const messages: readonly unknown[] = Array.isArray(message) ? message : [message];
  const strange = messages.find((one) => !JSONRPCMessageSchema.safeParse(one).success);
  if (strange === undefined) return null;
  const issues = JSONRPCRequestSchema.safeParse(strange).error?.issues ?? [];
  const where = issues.map(({ path }) => pointerTo(path)).filter((pointer) => pointer !== "");
  const at = where.length === 0 ? "" : `; as a request it is wrong at ${where.join(", ")}`;
  return `is JSON, but not a message of JSON-RPC 2.0 as MCP has it${at}.`;
}

/** A server on no transport yet; one for each connection. */
export function createServer2025({ catalog, version, answers, clock }: ServerParts): Server {
  const { name, title, instructions } = catalog;
  const server = new Server({ name, title, version }, { capabilities, instructions });
  for (const method of methods) {
    server.setRequestHandler(schemas[method], async ({ params }, { signal, _meta, sendNotification }) => {
      const notify = (notice: object) => sendNotification(notice as ServerNotification);
      return { ...(await answers[method](params, callOf({ signal, meta: _meta, clock, notify }))) };
    });
  }
  return server;
}
