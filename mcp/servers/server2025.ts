/** MCP of 2025-11-25 and before, on the library that its clients were tried against. */
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
  type ServerNotification,
} from "@modelcontextprotocol/sdk/types.js";
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
