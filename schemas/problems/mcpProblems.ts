/** What the MCP server answers of its own; no answer of the API has these codes. */
import type { ProblemList } from "./problemEntry.ts";

export const mcpProblems = {
  TOOL_UNKNOWN: {
    status: null,
    means: "There is no tool, or no prompt, of this name.",
    todo: "Use one of the names that the list of tools, or of prompts, gives.",
  },
  RESOURCE_NOT_FOUND: {
    status: null,
    means: "There is no resource at this address.",
    todo: "Use an address that the list of resources, or one of its templates, gives.",
  },
  OUTPUT_TOO_LARGE: {
    status: null,
    means: "The output is larger than what one answer of the MCP server holds.",
    todo: "Read it in pages of logs, or from the API at `/v1/tasks/{id}/output/raw`.",
  },
} as const satisfies ProblemList;
