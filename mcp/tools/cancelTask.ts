import { z } from "zod";
import { taskLinks } from "../resources/resourceLinks.ts";
import { taskId, taskWithoutSpec, taskWithoutSpecAbout, withoutSpec } from "../taskResult.ts";
import { defineTool } from "../toolDefinition.ts";

export const cancelTask = defineTool({
  name: "cancel_task",
  title: "Cancel a task",
  description:
    "Stops a task for good: at once where it has not started, else its container gets SIGTERM and, a little later, SIGKILL. Returns the task as it is now; wait_for_task shows the end. Safe to repeat. A task that is over answers TASK_ENDED.",
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  inputSchema: z.strictObject({
    id: taskId,
    reason: z.string().max(1024).optional().describe("Why, for whoever reads the record."),
  }),
  outputAbout: taskWithoutSpecAbout,
  outputSchema: taskWithoutSpec,
  handler: async (client, { id, reason }, { signal }) =>
    withoutSpec(await client.cancelTask(id, reason ?? null, { signal })),
  links: ({ id }) => taskLinks(id, ["task"]),
});
