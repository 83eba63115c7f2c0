/**
 * What each request of the protocol is answered with, as the JSON that goes out. All versions of the protocol that
 * are spoken here share these shapes; the adapters in `servers/` bind them to a library and add nothing.
 */
import type { ApiClient } from "../services/kernel/client/apiClient.ts";
import { Rejection } from "../services/kernel/errors.ts";
import type { Call } from "./call.ts";
import { callTool } from "./callTool.ts";
import type { Catalog } from "./catalog.ts";
import { completeArgument } from "./completeArgument.ts";
import { findPrompt, findResource, findTool, promptArguments } from "./findInCatalog.ts";
import { asProtocolFailure } from "./protocolFailure.ts";
import { isPlain, type ResourceDefinition } from "./resources/resourceDefinition.ts";
import { inputJsonSchema, outputJsonSchema } from "./toolSchemas.ts";

export const methods = [
  "tools/list",
  "tools/call",
  "resources/list",
  "resources/templates/list",
  "resources/read",
  "prompts/list",
  "prompts/get",
  "completion/complete",
] as const;
export type Method = (typeof methods)[number];

/** The parameters of a request; the library has checked them against the protocol's schema. */
// biome-ignore lint/suspicious/noExplicitAny: one shape a method, checked by the library
export type Params = any;
export type Answers = Readonly<Record<Method, (params: Params, call: Call) => Promise<object>>>;

/** @param connect finds the server for one call; requests carry the caller's own token and nothing else */
export function createAnswers(catalog: Catalog, connect: (call: Call) => ApiClient): Answers {
  return {
    "tools/list": async () => ({ tools: toolsShown(catalog) }),
    "tools/call": async ({ name, arguments: input }, call) => {
      const tool = await asProtocolFailure(async () => findTool(catalog, name));
      const result = await callTool(tool, { connect: () => connect(call), input, call });
      if ("failure" in result) return { isError: true, content: [textOf(result.failure)] };
      const links = tool.links?.(result.value) ?? [];
      return { structuredContent: result.value, content: [textOf(result.value), ...links] };
    },
    "resources/list": ({ cursor } = {}, call) =>
      asProtocolFailure(async () => {
        const { resources, nextCursor } = await catalog.listed(connect(call), cursor);
        const plain = cursor === undefined ? catalog.resources.filter(isPlain) : [];
        const shown = [...plain.map((one) => ({ uri: one.uriTemplate, ...facts(one) })), ...resources];
        return { resources: shown, ...(nextCursor === null ? {} : { nextCursor }) };
      }),
    "resources/templates/list": async () => ({
      resourceTemplates: catalog.resources
        .filter((one) => !isPlain(one))
        .map((one) => ({ uriTemplate: one.uriTemplate, ...facts(one) })),
    }),
    "resources/read": ({ uri }, call) =>
      asProtocolFailure(async () => {
        const { definition, params } = findResource(catalog, uri);
        const { meta, ...body } = await definition.read(connect(call), params, call);
        const mimeType = body.mimeType ?? definition.mimeType;
        return { contents: [{ uri, ...body, mimeType, ...(meta === undefined ? {} : { _meta: meta }) }] };
      }, uri),
    "prompts/list": async () => ({
      prompts: catalog.prompts.map(({ messages: _, arguments: args, ...shown }) => ({
        ...shown,
        arguments: args.map(({ completes: _, ...argument }) => argument),
      })),
    }),
    "prompts/get": ({ name, arguments: args = {} }, call) =>
      asProtocolFailure(async () => {
        const prompt = findPrompt(catalog, name);
        const messages = await prompt.messages(connect(call), promptArguments(prompt, args), call);
        return { description: prompt.description, messages };
      }),
    "completion/complete": ({ ref, argument }, call) =>
      asProtocolFailure(async () => {
        const completer = completerOf(catalog, ref, argument.name);
        return { completion: await completeArgument(() => connect(call), completer, argument.value) };
      }),
  };
}

function textOf(value: object): { readonly type: "text"; readonly text: string } {
  return { type: "text", text: JSON.stringify(value) };
}

function facts({ name, title, description, mimeType }: ResourceDefinition) {
  return { name, title, description, mimeType };
}

/** Made once: the schemas are some 20 KB and never change. */
const shownOf = new WeakMap<Catalog, readonly object[]>();

function toolsShown(catalog: Catalog): readonly object[] {
  const known = shownOf.get(catalog);
  if (known !== undefined) return known;
  const shown = catalog.tools.map((tool) => ({
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: inputJsonSchema(tool),
    outputSchema: outputJsonSchema(tool),
    annotations: { title: tool.title, ...tool.annotations },
  }));
  shownOf.set(catalog, shown);
  return shown;
}

/** @throws Rejection `PROMPT_UNKNOWN`, `RESOURCE_NOT_FOUND` */
function completerOf(
  catalog: Catalog,
  ref: { readonly type: string; readonly name?: string; readonly uri?: string },
  argument: string,
) {
  if (ref.type === "ref/prompt") {
    const prompt = findPrompt(catalog, ref.name ?? "");
    return prompt.arguments.find(({ name }) => name === argument)?.completes;
  }
  const definition = catalog.resources.find(({ uriTemplate }) => uriTemplate === ref.uri);
  if (definition !== undefined) return new Map(Object.entries(definition.completes ?? {})).get(argument);
  throw new Rejection("RESOURCE_NOT_FOUND", `There is no resource template ${ref.uri}.`, {
    hint: "resources/templates/list lists what there is.",
    fields: { status: 404 },
  });
}
