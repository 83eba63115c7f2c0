import { z } from "zod";
import { comparison } from "../../schemas/api/comparison.ts";
import { taskLinks } from "../resources/resourceLinks.ts";
import { taskId } from "../taskResult.ts";
import { defineTool, reads } from "../toolDefinition.ts";

export const compareTasks = defineTool({
  name: "compare_tasks",
  title: "Compare two tasks",
  description:
    "Says whether two tasks that are over ended alike and printed the same bytes, and where their output first differs. Of a replay, with the task that it replays unless with names another: so it tells whether a result can be reproduced. A task that still runs answers TASK_NOT_ENDED. Changes nothing.",
  annotations: reads,
  inputSchema: z.strictObject({
    id: taskId,
    with: taskId.optional().describe("The other task; unset: the one that this task replays."),
  }),
  outputSchema: comparison,
  handler: (client, { id, with: other }) => client.compareTasks(id, other),
  links: ({ task, with: other }) => [...taskLinks(task, ["output"]), ...taskLinks(other, ["output"])],
});
