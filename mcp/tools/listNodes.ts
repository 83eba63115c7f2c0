import { z } from "zod";
import { nodePage, readNodePage } from "../pages.ts";
import { defineTool, reads } from "../toolDefinition.ts";

export const listNodes = defineTool({
  name: "list_nodes",
  title: "List nodes",
  description:
    "Returns the machines that run tasks: labels and tags to select by, free slots, mounts and networks they allow, and why one takes no work. Changes nothing.",
  annotations: reads,
  inputSchema: z.strictObject({
    limit: z.number().int().min(1).max(100).default(20).describe("At most so many; long ones may be fewer."),
    cursor: z.string().max(512).optional().describe("next_cursor of the answer before."),
  }),
  outputSchema: nodePage,
  handler: (client, asked) => readNodePage(client, asked),
});
