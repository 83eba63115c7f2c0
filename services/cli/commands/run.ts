import type { SpecText } from "../../kernel/client/apiClient.ts";
import { Rejection } from "../../kernel/errors.ts";
import { type CliContext, connect } from "../context.ts";
import { followTask } from "./followTask.ts";
import { readSpecFile } from "./readSpecFile.ts";
import type { ScriptOptions } from "./scriptSpec.ts";
import { printWarnings } from "./submit.ts";

export interface RunOptions extends ScriptOptions {
  readonly detachOnInterrupt?: true;
  readonly quiet?: true;
  readonly idempotencyKey?: string;
}

async function specOf(context: CliContext, file: string | undefined, options: RunOptions): Promise<SpecText> {
  const given = [file, options.script, options.project].filter((one) => one !== undefined);
  if (given.length !== 1) {
    throw new Rejection("USAGE", "Name one of: a spec's file, --script FILE, --project FOLDER.");
  }
  const { tool, processImage, budget, contextJson, fsRead, timeout } = options;
  const ofScripts = [tool, processImage, budget, contextJson, fsRead, timeout];
  if (file === undefined) return (await import("./scriptSpec.ts")).scriptSpec(options);
  if (ofScripts.some((one) => one !== undefined)) {
    throw new Rejection(
      "USAGE",
      "--tool, --process-image, --budget, --context-json, --fs-read and --timeout go with --script or --project.",
      {
        hint: "In a spec they are script.tools, script.process_image, script.budgets, script.context, script.files and timeout_seconds.",
      },
    );
  }
  return readSpecFile(context, file);
}

/** Submits a spec, prints what the task prints, exits as the task does. */
export async function run(
  context: CliContext,
  file: string | undefined,
  options: RunOptions,
): Promise<number> {
  const client = connect(context);
  const spec = await specOf(context, file, options);
  const submit = async () => {
    const task = await client.submitTask(spec, { idempotencyKey: options.idempotencyKey });
    await printWarnings(context.output, task.warnings);
    if (context.output.stderrIsTerminal && !options.quiet) await context.output.message(`task ${task.id}`);
    return task;
  };
  const quiet = options.quiet === true;
  return followTask(context, client, submit, {
    detachOnInterrupt: options.detachOnInterrupt === true,
    quiet,
  });
}
