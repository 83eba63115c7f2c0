/** What the conformance suite asks a server to have beside its own, in the kinds of this project; for tests only. */
import { z } from "zod";
import { Rejection } from "../../services/kernel/errors.ts";
import type { Call } from "../call.ts";
import { type Catalog, caziCatalog } from "../catalog.ts";
import { embeds, type PromptDefinition, says } from "../prompts/promptDefinition.ts";
import type { ResourceDefinition } from "../resources/resourceDefinition.ts";
import { defineTool, reads, type ToolDefinition } from "../toolDefinition.ts";

const nothing = z.strictObject({});
const text = z.object({ text: z.string() });
/** One transparent pixel. */
const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

function tool(name: string, handler: (call: Call) => Promise<{ text: string }>): ToolDefinition {
  const about = { title: name, description: `Answers as the scenario of ${name} asks.`, annotations: reads };
  return defineTool({
    name,
    ...about,
    inputSchema: nothing,
    outputSchema: text,
    handler: (_client, _input, call) => handler(call),
  });
}

const tools: readonly ToolDefinition[] = [
  tool("test_simple_text", async () => ({ text: "This is a simple text response for testing." })),
  tool("test_error_handling", async () => {
    throw new Rejection("TEST", "This tool intentionally returns an error for testing");
  }),
  tool("test_tool_with_progress", async ({ progress }) => {
    for (const done of [0, 50, 100]) await progress?.({ progress: done, total: 100 });
    return { text: "done" };
  }),
];

function resource(of: Pick<ResourceDefinition, "uriTemplate" | "mimeType" | "read">): ResourceDefinition {
  return { name: of.uriTemplate, title: of.uriTemplate, description: "For a scenario.", ...of };
}

const resources: readonly ResourceDefinition[] = [
  resource({
    uriTemplate: "test://static-text",
    mimeType: "text/plain",
    read: async () => ({ text: "This is the content of the static text resource." }),
  }),
  resource({ uriTemplate: "test://static-binary", mimeType: "image/png", read: async () => ({ blob: png }) }),
  resource({
    uriTemplate: "test://template/{id}/data",
    mimeType: "application/json",
    read: async (_client, { id }) => ({
      text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
    }),
  }),
];

const argument = (name: string) => ({ name, title: name, description: "For a scenario.", required: true });

function prompt(of: Pick<PromptDefinition, "name" | "arguments" | "messages">): PromptDefinition {
  return { title: of.name, description: "For a scenario.", ...of };
}

const prompts: readonly PromptDefinition[] = [
  prompt({
    name: "test_simple_prompt",
    arguments: [],
    messages: async () => [says("This is a simple prompt for testing.")],
  }),
  prompt({
    name: "test_prompt_with_arguments",
    arguments: [{ ...argument("arg1"), completes: ["paris", "park", "party", "test1"] }, argument("arg2")],
    messages: async (_client, { arg1, arg2 }) => [
      says(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`),
    ],
  }),
  prompt({
    name: "test_prompt_with_embedded_resource",
    arguments: [argument("resourceUri")],
    messages: async (_client, { resourceUri }) => [
      embeds(resourceUri!, { text: "Embedded resource content for testing." }),
      says("Please process the embedded resource above."),
    ],
  }),
];

/** Cazi's own catalog with the suite's fixtures in it. */
export const conformanceCatalog: Catalog = {
  ...caziCatalog,
  tools: [...caziCatalog.tools, ...tools],
  resources: [...caziCatalog.resources, ...resources],
  prompts: [...caziCatalog.prompts, ...prompts],
};
