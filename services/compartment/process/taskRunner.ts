/** The control plane's form of `process`: the command runs as a declared task, in a container, with its own record. */
import type { JsonObject } from "../membrane/jsonText.ts";

export interface TaskCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly signal: AbortSignal;
}

/** Nothing in this service implements it: whoever embeds the compartment beside a control plane does. */
export interface TaskRunner {
  /**
   * Submits the command and waits for its end.
   * @throws ToolFailure what the program may know of a task that did not run
   */
  run(command: TaskCommand): Promise<JsonObject>;
}
