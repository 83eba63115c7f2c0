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
  return z.toJSONSchema(tool.inputSchema, { io: "input", target }) as unknown as JsonObjectSchema;
}

/** What a caller gets. Answers may grow: a member that is not listed is no error. */
export function outputJsonSchema(tool: ToolDefinition): JsonObjectSchema {
  return z.toJSONSchema(tool.outputSchema, {
    io: "output",
    target,
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      // The format says it; the pattern is 300 characters at each of a task's times.
      if (jsonSchema.format === "date-time") delete jsonSchema.pattern;
    },
  }) as unknown as JsonObjectSchema;
}
