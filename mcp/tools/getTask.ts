import { z } from "zod";
import { taskLinks } from "../resources/resourceLinks.ts";
import { fittingTask, fullTask, taskId } from "../taskResult.ts";
import { defineTool, reads } from "../toolDefinition.ts";

export const getTask = defineTool({
  name: "get_task",
  title: "Get a task",
  description:
    "Returns a task as it is now: status, exit code, reason, node, image, times, each attempt, and the spec it was submitted with. Changes nothing. To wait for its end use wait_for_task.",
  annotations: reads,
  inputSchema: z.strictObject({ id: taskId }),
  outputSchema: fullTask,
  handler: async (client, { id }, { signal }) => fittingTask(await client.getTask(id, { signal })),
  links: ({ id }) => taskLinks(id, ["events", "logs", "output"]),
});
