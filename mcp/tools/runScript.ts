import { z } from "zod";
import { taskOutput } from "../../schemas/api/taskOutput.ts";
import { taskStatus } from "../../schemas/api/taskStatus.ts";
import { idempotencyKeyWords } from "../apiWords.ts";
import { capOutput } from "../capOutput.ts";
import { resultCharsMax, resultFrameChars, waitSecondsMax } from "../limits.ts";
import { taskLinks } from "../resources/resourceLinks.ts";
import { idempotencyKey } from "../specArgument.ts";
import { isDone } from "../taskResult.ts";
import { defineTool, runs } from "../toolDefinition.ts";
import { waitForEnd } from "../waitForEnd.ts";

const description = `Runs JavaScript (an ES module) in a sealed compartment as a recorded task and waits a little for its end. It has no network, files, timers or console: it says results with emit({...}), reads context, and calls only the tools named here with callTool(name, args), some of which return promises. Example: source "emit({ sum: context.a + 1 })", context {"a": 1}. When done is false, call wait_for_task, then get_task_output. Not safe to repeat without idempotency_key.`;

const { value, truncated } = taskOutput.shape;

/** A source, a project, or both or neither, which the server refuses in its own words. */
function specOf(input: {
  readonly source?: string | undefined;
  readonly project?: Readonly<Record<string, string>> | undefined;
  readonly files?: Readonly<Record<string, string>> | undefined;
  readonly tools: readonly string[];
  readonly process_image?: string | undefined;
  readonly budgets: Readonly<Record<string, number>>;
  readonly context?: Readonly<Record<string, unknown>> | undefined;
  readonly timeout_seconds: number;
  readonly rationale: string | null;
}): object {
  const { source, project, files, tools, process_image, budgets, context, timeout_seconds, rationale } =
    input;
  const granted = { tools, process_image, budgets, context };
  const isScript = project === undefined || source !== undefined || files !== undefined;
  return {
    ...(isScript ? { script: { source, files, ...granted } } : {}),
    ...(project === undefined ? {} : { project: { files: project, ...granted } }),
    timeout_seconds,
    rationale,
  };
}

export const runScript = defineTool({
  name: "run_script",
  title: "Run a script",
  description,
  annotations: runs,
  apiWords: {
    ...idempotencyKeyWords,
    "/script/source": "/source",
    "/script/tools": "/tools",
    "/script/process_image": "/process_image",
    "/script/budgets": "/budgets",
    "/script/context": "/context",
    "/script/files": "/files",
    "/project/files": "/project",
    "/project/tools": "/tools",
    "/project/process_image": "/process_image",
    "/project/budgets": "/budgets",
    "/project/context": "/context",
  },
  inputSchema: z.strictObject({
    source: z.string().min(1).optional().describe("The program."),
    project: z
      .record(z.string(), z.string())
      .optional()
      .describe("In place of source: path and text of each file of a `cazi agent` project."),
    tools: z
      .array(z.string())
      .default([])
      .describe("Tools it may call, such as echo, readFile, writeArtifact, osv.query; none unless named."),
    process_image: z
      .string()
      .optional()
      .describe("Image for the tool process: each command is a task in it, without network."),
    budgets: z
      .record(z.string(), z.number())
      .default({})
      .describe(
        "Limits, such as timeout_ms, max_events (128), max_steps, max_heap_mb (64), tool_timeout_ms (250).",
      ),
    context: z.record(z.string(), z.unknown()).optional().describe("Its input; stays in the record."),
    files: z.record(z.string(), z.string()).optional().describe("Path and text, for readFile."),
    timeout_seconds: z.number().int().min(1).default(60).describe("Longest run."),
    rationale: z.string().nullable().default(null).describe("Why, for whoever reads the record."),
    wait_seconds: z
      .number()
      .int()
      .min(0)
      .max(waitSecondsMax)
      .default(20)
      .describe("Longest wait for its end."),
    idempotency_key: idempotencyKey,
  }),
  outputSchema: z.object({
    id: z.string(),
    status: taskStatus,
    done: z.boolean(),
    reason: z.string().nullable(),
    message: z.string().nullable().describe("Why it failed; the head of its audit log."),
    pending_reason: z.string().nullable(),
    output: value.describe("What it emitted, in order; null before its end."),
    truncated,
  }),
  handler: async (client, input, call) => {
    const submitted = await client.submitTask(
      { text: JSON.stringify(specOf(input)), mediaType: "application/json" },
      { idempotencyKey: input.idempotency_key, signal: call.signal },
    );
    const task = await waitForEnd(client, { id: submitted.id, seconds: input.wait_seconds }, call);
    const done = isDone(task);
    const output = done
      ? capOutput(await client.getTaskOutput(task.id), resultCharsMax - resultFrameChars)
      : null;
    return {
      id: task.id,
      status: task.status,
      done,
      reason: task.reason,
      message: task.message,
      pending_reason: task.pending_reason?.message ?? null,
      output: output === null ? null : (output.value ?? output.text),
      truncated: output?.truncated ?? false,
    };
  },
  links: ({ id, done }) => taskLinks(id, done ? ["output", "logs", "events"] : ["task"]),
});
