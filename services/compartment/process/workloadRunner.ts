/**
 * `process` of a script that is itself a task: a child task of the control plane, asked for with the attempt's own token. A
 * call is known by its number, so that asking again is the same child; its number is in this run's log before it is asked
 * for, and the child's id before its end.
 */
import type { JsonObject } from "../membrane/jsonText.ts";
import type { NetworkPort } from "../network/networkPort.ts";
import { ToolFailure } from "../tools/tool.ts";
import { askPlane, textOf, untilAnswered, untilOver } from "./planeRequest.ts";
import type { TaskCommand, TaskRunner } from "./taskRunner.ts";

export interface WorkloadPlane {
  /** Of the route that takes commands, without a slash at its end. */
  readonly url: string;
  /** Of the attempt: it names the parent, and dies with it. */
  readonly token: string;
  readonly network: NetworkPort;
}

const CANCEL_LIMIT_MS = 5_000;

/** One of each run: it counts the calls. */
export function workloadRunner(plane: WorkloadPlane): TaskRunner {
  let calls = 0;
  return {
    async run({ command, args, signal, record }: TaskCommand): Promise<JsonObject> {
      const url = `${plane.url}/${calls}`;
      const call = calls++;
      // Before the effect: by task, attempt and number the child is found, whatever becomes of the answer.
      record("process_task", { call });
      try {
        const body = { command: [command, ...args] };
        const made = await untilAnswered({
          signal,
          ask: () => askPlane(plane, { method: "POST", url, body, signal }),
        });
        signal.throwIfAborted();
        record("process_task", { call, task: textOf(made.id) });
        return await outcomeOf(plane, url, made, signal);
      } catch (error) {
        const refused = error instanceof ToolFailure && error.code === "PROCESS_TASK_REFUSED";
        if (!refused) await withdraw(plane, url);
        throw error;
      }
    },
  };
}

async function outcomeOf(
  plane: WorkloadPlane,
  url: string,
  made: JsonObject,
  signal: AbortSignal,
): Promise<JsonObject> {
  const task = await untilOver(plane, { url, task: made, signal });
  const { id, status = null, reason = null, message = null, exit_code = null, stdout = null } = task;
  const { signal: killedBy = null, dropped_bytes = 0 } = task;
  return {
    task: textOf(id),
    status,
    reason,
    message,
    code: exit_code,
    signal: killedBy,
    stdout,
    dropped_bytes,
  };
}

/** Nobody waits for it any more. What does not reach the control plane is bounded by the child's own limits. */
async function withdraw(plane: WorkloadPlane, url: string): Promise<void> {
  try {
    const signal = AbortSignal.timeout(CANCEL_LIMIT_MS);
    await askPlane(plane, { method: "POST", url: `${url}/cancel`, body: {}, signal });
  } catch (error) {
    if (!(error instanceof ToolFailure)) throw error;
  }
}
