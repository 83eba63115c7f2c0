import { z } from "zod";
import { taskOutput } from "../../schemas/api/taskOutput.ts";
import { capOutput } from "../capOutput.ts";
import { resultCharsMax, resultFrameChars } from "../limits.ts";
import { taskLinks } from "../resources/resourceLinks.ts";
import { taskId } from "../taskResult.ts";
import { defineTool, reads } from "../toolDefinition.ts";

export const getTaskOutput = defineTool({
  name: "get_task_output",
  title: "Get a task's output",
  description:
    "Returns the task's standard output as its output_format says: text, a JSON value, or a list of values for ndjson. complete is false while the task runs; truncated is true when this is not all of it. stderr is in get_task_logs. Changes nothing.",
  annotations: reads,
  inputSchema: z.strictObject({ id: taskId }),
  outputSchema: taskOutput,
  handler: async (client, { id }) =>
    capOutput(await client.getTaskOutput(id), resultCharsMax - resultFrameChars),
  links: ({ task }) => taskLinks(task, ["raw", "logs"]),
});
