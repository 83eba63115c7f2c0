/** A tool's arguments as a person writes them on a command line. Pure. */
import { Rejection } from "../services/kernel/errors.ts";
import type { ToolDefinition } from "./toolDefinition.ts";
import { inputJsonSchema } from "./toolSchemas.ts";

/**
 * `limit=5 status=failed status=cancelled` as an object: what the tool's schema knows as text stays text, anything
 * else is read as JSON, and a name given again, or one that is a list, makes a list.
 * @throws Rejection `USAGE` for a pair that is none
 */
export function argumentsOfPairs(tool: ToolDefinition, pairs: readonly string[]): Record<string, unknown> {
  const properties = inputJsonSchema(tool).properties as Readonly<Record<string, JsonSchema>>;
  const found: Record<string, unknown> = {};
  for (const pair of pairs) {
    const at = pair.indexOf("=");
    if (at < 1) throw usage(`${pair} is no argument`);
    const name = pair.slice(0, at);
    const text = pair.slice(at + 1);
    const schema = properties[name];
    if (schema?.type !== "array") {
      found[name] = readValue(text, schema);
      continue;
    }
    const before = (found[name] as readonly unknown[] | undefined) ?? [];
    const more = text.startsWith("[") ? readValue(text, undefined) : readValue(text, schema.items);
    found[name] = before.concat(more);
  }
  return found;
}

/** `{"limit":5}` as an object. @throws Rejection `USAGE` */
export function argumentsOfJson(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>;
    }
  } catch {
    // Told below, in the same words.
  }
  throw usage("--json needs one JSON object");
}

interface JsonSchema {
  readonly type?: string;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
}

function readValue(text: string, schema: JsonSchema | undefined): unknown {
  const isText = schema?.type === "string" || schema?.anyOf?.some(({ type }) => type === "string");
  if (isText) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function usage(message: string): Rejection {
  return new Rejection("USAGE", message, {
    hint: "Write name=value for each argument, or --json with an object; `cazi mcp list -o json` shows them.",
  });
}
