import { z } from "zod";
import { taskFilters } from "../../schemas/api/listTasks.ts";
import { readTaskPage, taskPage } from "../pages.ts";
import { defineTool, reads } from "../toolDefinition.ts";

export const listTasks = defineTool({
  name: "list_tasks",
  title: "List tasks",
  description:
    "Returns tasks, newest first, without their specs; every filter that is given has to hold. For more, call again with next_cursor as cursor and the same filters. Changes nothing.",
  annotations: reads,
  inputSchema: z.strictObject({
    ...taskFilters,
    limit: z.number().int().min(1).max(100).default(20).describe("At most so many; long ones may be fewer."),
    cursor: z.string().max(512).optional().describe("next_cursor of the answer before."),
  }),
  outputAbout: "A page of tasks, as get_task describes them, without their specs.",
  outputSchema: taskPage,
  handler: (client, asked) => readTaskPage(client, asked),
});
