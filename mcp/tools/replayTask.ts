import { z } from "zod";
import { submittedTask } from "../../schemas/api/submittedTask.ts";
import { idempotencyKeyWords } from "../apiWords.ts";
import { taskLinks } from "../resources/resourceLinks.ts";
import { idempotencyKey } from "../specArgument.ts";
import { taskId, taskWithoutSpec, taskWithoutSpecAbout, withoutSpec } from "../taskResult.ts";
import { defineTool, runs } from "../toolDefinition.ts";

const { warnings } = submittedTask.shape;

export const replayTask = defineTool({
  name: "replay_task",
  title: "Replay a task",
  description:
    "Runs the exact spec and image of an earlier task again as a new task, and returns that one at once; its source names the earlier one. Not safe to repeat without idempotency_key: each call is a new task.",
  annotations: runs,
  apiWords: idempotencyKeyWords,
  inputSchema: z.strictObject({ id: taskId, idempotency_key: idempotencyKey }),
  outputAbout: taskWithoutSpecAbout,
  outputSchema: taskWithoutSpec.extend({ warnings }),
  handler: async (client, { id, idempotency_key }, { signal }) => {
    const task = await client.replayTask(id, { idempotencyKey: idempotency_key, signal });
    return { ...withoutSpec(task), warnings: task.warnings };
  },
  links: ({ id }) => taskLinks(id, ["task"]),
});
