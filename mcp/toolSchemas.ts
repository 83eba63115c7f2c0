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
  return z.toJSONSchema(tool.inputSchema, {
    io: "input",
    target,
    override: ({ jsonSchema }) => leaveOutNoise(jsonSchema),
  }) as unknown as JsonObjectSchema;
}

/** What a caller gets. Answers may grow: a member that is not listed is no error. */
export function outputJsonSchema(tool: ToolDefinition): JsonObjectSchema {
  const { outputAbout } = tool;
  const schema = z.toJSONSchema(tool.outputSchema, {
    io: "output",
    target,
    override: ({ jsonSchema }) => {
      leaveOutNoise(jsonSchema);
      if (outputAbout !== undefined) delete jsonSchema.description;
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      if (jsonSchema.format === "date-time") delete jsonSchema.description;
    },
  }) as unknown as JsonObjectSchema;
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
