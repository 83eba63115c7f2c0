import { z } from "zod";
import { taskStatus } from "../../schemas/api/taskStatus.ts";
import { readTaskPage, taskPage } from "../pages.ts";
import { defineTool, reads } from "../toolDefinition.ts";

export const listTasks = defineTool({
  name: "list_tasks",
  title: "List tasks",
  description:
    "Returns tasks, newest first, without their specs. For more, call again with next_cursor as cursor and the same filters. Changes nothing.",
  annotations: reads,
  inputSchema: z.strictObject({
    status: z.array(taskStatus).max(8).optional().describe("Only tasks of these statuses."),
    label: z
      .array(z.string().max(512))
      .max(16)
      .optional()
      .describe("Only tasks with all these labels: name, or name=value."),
    name: z.string().max(128).optional().describe("Only tasks of exactly this name."),
    limit: z.number().int().min(1).max(100).default(20).describe("At most so many; long ones may be fewer."),
    cursor: z.string().max(512).optional().describe("next_cursor of the answer before."),
  }),
  outputSchema: taskPage,
  handler: (client, asked) => readTaskPage(client, asked),
});
