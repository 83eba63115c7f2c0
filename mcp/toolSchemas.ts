/** The JSON Schemas of a tool, as every protocol shows them. Pure. */
import { z } from "zod";
import type { ToolDefinition } from "./toolDefinition.ts";

/** Draft 7 is what all clients' validators read. */
const target = "draft-7";

export interface JsonObjectSchema {
  readonly type: "object";
  readonly [keyword: string]: unknown;
}

/** What a caller may send: exact, an unknown argument is an error. */
export function inputJsonSchema(tool: ToolDefinition): JsonObjectSchema {
  const schema = z.toJSONSchema(tool.inputSchema, {
    io: "input",
    target,
    override: ({ jsonSchema }) => leaveOutNoise(jsonSchema),
  });
  return withNullsJoined(schema) as JsonObjectSchema;
}

/** What a caller gets. Answers may grow: a member that is not listed is no error. */
export function outputJsonSchema(tool: ToolDefinition): JsonObjectSchema {
  const { outputAbout } = tool;
  const made = z.toJSONSchema(tool.outputSchema, {
    io: "output",
    target,
    override: ({ jsonSchema }) => {
      leaveOutNoise(jsonSchema);
      if (outputAbout !== undefined) delete jsonSchema.description;
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      if (jsonSchema.format === "date-time") delete jsonSchema.description;
    },
  });
  const schema = withNullsJoined(made) as JsonObjectSchema;
  return outputAbout === undefined ? schema : { ...schema, description: outputAbout };
}

/** What says nothing to a reader, and is read by a model each time: bounds of all numbers, and that names are text. */
function leaveOutNoise(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  // The format says it; the pattern is 300 characters at each time.
  if (schema.format === "date-time") delete schema.pattern;
  const names = schema.propertyNames;
  if (typeof names === "object" && Object.keys(names).length === 1 && names.type === "string") {
    delete schema.propertyNames;
  }
}

/** A value or null, as one schema of two types: a third shorter than as a choice of two schemas. */
function withNullsJoined(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withNullsJoined);
  if (typeof node !== "object" || node === null) return node;
  const lean = Object.fromEntries(
    Object.entries(node).map(([keyword, inner]) => [keyword, withNullsJoined(inner)]),
  );
  const { anyOf, ...around } = lean;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return lean;
  const [value, nothing] = anyOf as Record<string, unknown>[];
  const isNull = Object.keys(nothing!).length === 1 && nothing!.type === "null";
  if (!isNull || typeof value!.type !== "string" || "const" in value!) return lean;
  const choices = Array.isArray(value!.enum) ? { enum: [...value!.enum, null] } : {};
  return { ...value, ...around, type: [value!.type, "null"], ...choices };
}
