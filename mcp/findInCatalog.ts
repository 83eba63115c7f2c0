/** Finding what a caller named. Pure; what is not there is a refusal that says where the names are. */
import { nearestName } from "../services/domain/spec/nearestName.ts";
import { Rejection } from "../services/kernel/errors.ts";
import type { Catalog } from "./catalog.ts";
import type { PromptDefinition } from "./prompts/promptDefinition.ts";
import { matchUri } from "./resources/matchUri.ts";
import type { ResourceDefinition } from "./resources/resourceDefinition.ts";
import type { ToolDefinition } from "./toolDefinition.ts";

/** @throws Rejection `TOOL_UNKNOWN` */
export function findTool(catalog: Catalog, name: string): ToolDefinition {
  const found = catalog.tools.find((tool) => tool.name === name);
  if (found !== undefined) return found;
  const known = catalog.tools.map((tool) => tool.name);
  throw unknown(
    "TOOL_UNKNOWN",
    `There is no tool ${name}.`,
    nearestName(name, known),
    "tools/list lists them.",
  );
}

/** @throws Rejection `PROMPT_UNKNOWN` */
export function findPrompt(catalog: Catalog, name: string): PromptDefinition {
  const found = catalog.prompts.find((prompt) => prompt.name === name);
  if (found !== undefined) return found;
  const known = catalog.prompts.map((prompt) => prompt.name);
  throw unknown(
    "PROMPT_UNKNOWN",
    `There is no prompt ${name}.`,
    nearestName(name, known),
    "prompts/list lists them.",
  );
}

/** @throws Rejection `RESOURCE_NOT_FOUND` */
export function findResource(
  catalog: Catalog,
  uri: string,
): { readonly definition: ResourceDefinition; readonly params: Readonly<Record<string, string>> } {
  for (const definition of catalog.resources) {
    const params = matchUri(definition.uriTemplate, uri);
    if (params !== null) return { definition, params };
  }
  throw unknown(
    "RESOURCE_NOT_FOUND",
    "There is no resource of this address.",
    null,
    "resources/list and resources/templates/list list what there is, such as cazi://tasks/{id}/logs{?cursor,stream}.",
  );
}

/**
 * The arguments of a prompt: every required one, and none that is not known.
 * @throws Rejection `REQUEST_INVALID` with a pointer for each thing wrong
 */
export function promptArguments(
  prompt: PromptDefinition,
  given: Readonly<Record<string, unknown>>,
): Readonly<Record<string, string>> {
  const known = prompt.arguments.map(({ name }) => name);
  const missing = prompt.arguments
    .filter(({ name, required }) => required && !given[name])
    .map(({ name }) => ({ pointer: `/arguments/${name}`, message: "is missing" }));
  const strange = Object.keys(given)
    .filter((name) => !known.includes(name))
    .map((name) => ({
      pointer: `/arguments/${name}`,
      message: `is not an argument; known are ${known.join(", ") || "none"}`,
    }));
  const details = [...missing, ...strange];
  if (details.length === 0) return given as Readonly<Record<string, string>>;
  throw new Rejection("REQUEST_INVALID", `The arguments of ${prompt.name} are not valid.`, {
    hint: "Correct what is listed and ask again.",
    details,
    fields: { status: 400 },
  });
}

function unknown(code: string, message: string, nearest: string | null, hint: string): Rejection {
  const advice = nearest === null ? hint : `Did you mean ${nearest}? ${hint}`;
  return new Rejection(code, message, { hint: advice, fields: { status: 404 } });
}
