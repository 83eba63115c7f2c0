import { z } from "zod";
import { waitSecondsMax } from "../limits.ts";
import { taskLinks } from "../resources/resourceLinks.ts";
import { isDone, taskId, taskWithoutSpec, taskWithoutSpecAbout, withoutSpec } from "../taskResult.ts";
import { defineTool, reads } from "../toolDefinition.ts";
import { waitForEnd } from "../waitForEnd.ts";

export const waitForTask = defineTool({
  name: "wait_for_task",
  title: "Wait for a task",
  description: `Returns the task as soon as it is over, or as it is after timeout_seconds (at most ${waitSecondsMax}). done says which; when it is false, call again. Tells its progress while it waits, where the client asks for that. Giving up on the call leaves the task running. Changes nothing.`,
  annotations: reads,
  apiWords: { "/wait": "/timeout_seconds" },
  inputSchema: z.strictObject({
    id: taskId,
    timeout_seconds: z
      .number()
      .int()
      .min(0)
      .max(waitSecondsMax)
      .default(waitSecondsMax)
      .describe("Longest wait; the task's state comes back then, and that is no error."),
  }),
  outputAbout: taskWithoutSpecAbout,
  outputSchema: taskWithoutSpec.extend({
    done: z.boolean().describe("True when the task is over."),
  }),
  handler: async (client, { id, timeout_seconds }, call) => {
    const task = await waitForEnd(client, { id, seconds: timeout_seconds }, call);
    return { ...withoutSpec(task), done: isDone(task) };
  },
  links: ({ id, done }) => taskLinks(id, done ? ["output", "logs", "events"] : ["task"]),
});
