import { z } from "zod";
import { submittedTask } from "../../schemas/api/submittedTask.ts";
import { idempotencyKeyWords } from "../apiWords.ts";
import { taskLinks } from "../resources/resourceLinks.ts";
import { idempotencyKey, specArgument, specText } from "../specArgument.ts";
import { taskWithoutSpec, taskWithoutSpecAbout, withoutSpec } from "../taskResult.ts";
import { defineTool, runs } from "../toolDefinition.ts";

const description = `Runs one command in a fresh container and records it. Returns the new task with its id at once; then call wait_for_task, and get_task_output or get_task_logs for what it printed.

A spec needs "image" and usually "command", an argv and never a shell string: for a shell write ["sh", "-c", "..."]. The container starts empty, keeps nothing, and has no files of yours; pass input in the command or in "environment" (never secrets: they stay in the record). The local image cazi/toolbox:latest (busybox: sh, echo, sed, awk, wget ...) is always there. Say why in "rationale". Example:

image: cazi/toolbox:latest
command: [sh, -c, "echo hello from cazi"]
timeout_seconds: 60
output_format: text
rationale: Check that tasks run.

Not safe to repeat without idempotency_key: each call is a new task.`;

const { warnings } = submittedTask.shape;

export const submitTask = defineTool({
  name: "submit_task",
  title: "Submit a task",
  description,
  annotations: runs,
  apiWords: idempotencyKeyWords,
  inputSchema: z.strictObject({ spec: specArgument, idempotency_key: idempotencyKey }),
  outputAbout: taskWithoutSpecAbout,
  outputSchema: taskWithoutSpec.extend({ warnings }),
  handler: async (client, input, { signal }) => {
    const task = await client.submitTask(specText(input.spec), {
      idempotencyKey: input.idempotency_key,
      signal,
    });
    return { ...withoutSpec(task), warnings: task.warnings };
  },
  links: ({ id }) => taskLinks(id, ["task"]),
});
