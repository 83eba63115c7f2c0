/** The control plane's form of `process`: the command runs as a declared task, in a container, with its own record. */

import type { JsonObject } from "../membrane/jsonText.ts";
import type { RecordEntry } from "../tools/tool.ts";

export interface TaskCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly signal: AbortSignal;
  /** Into this run's log, so that the task is known also where its end is not waited for. */
  readonly record: RecordEntry;
}

/** `controlPlaneRunner.ts` is the one of the command line; whoever embeds the compartment may give another. */
export interface TaskRunner {
  /**
   * Submits the command and waits for its end.
   * @throws ToolFailure what the program may know of a task that did not run
   */
  run(command: TaskCommand): Promise<JsonObject>;
}
