import { z } from "zod";
import { eventPage, readEventPage } from "../pages.ts";
import { taskId } from "../taskResult.ts";
import { defineTool, reads } from "../toolDefinition.ts";

export const listTaskEvents = defineTool({
  name: "list_task_events",
  title: "List a task's history",
  description:
    "Returns each transition of a task, oldest first: when it was scheduled, on which node it started, why an attempt was tried again, how it ended, and who asked for what. Use it to find out why a task took long or failed before its command ran. Changes nothing.",
  annotations: reads,
  inputSchema: z.strictObject({
    id: taskId,
    limit: z.number().int().min(1).max(100).default(50).describe("At most so many; long ones may be fewer."),
    cursor: z.string().max(512).optional().describe("next_cursor of the answer before."),
  }),
  outputSchema: eventPage,
  handler: (client, { id, ...asked }) => readEventPage(client, id, asked),
});
