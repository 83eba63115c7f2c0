/**
 * `process` as a declared task of a control plane: the command runs in a container of the operator's image, with a record
 * of its own. The task's id is in this run's log before the command ends, and its outcome in the call's result.
 */
import { randomUUID } from "node:crypto";
import type { JsonObject } from "../membrane/jsonText.ts";
import type { NetworkPort } from "../network/networkPort.ts";
import { ToolFailure } from "../tools/tool.ts";
import { askPlane, textOf, untilAnswered, untilOver } from "./planeRequest.ts";
import type { TaskCommand, TaskRunner } from "./taskRunner.ts";

export interface ControlPlane {
  /** Without a slash at its end. */
  readonly url: string;
  readonly token: string;
  /** What commands run in: the operator's choice, never the program's. */
  readonly image: string;
  readonly network: NetworkPort;
}

const CANCEL_LIMIT_MS = 10_000;

export function controlPlaneRunner(plane: ControlPlane): TaskRunner {
  return {
    async run({ command, args, signal, record }: TaskCommand): Promise<JsonObject> {
      const key = randomUUID();
      const submit = (until: AbortSignal) => {
        const body = { ...SPEC, image: plane.image, command: [command, ...args] };
        return askPlane(plane, { method: "POST", url: `${plane.url}/v1/tasks`, body, key, signal: until });
      };
      // Before the effect: by the key the task is found, whatever becomes of the answer.
      record("process_task", { idempotency_key: key });
      try {
        const made = await submit(signal);
        signal.throwIfAborted();
        record("process_task", { idempotency_key: key, task: textOf(made.id) });
        return await outcomeOf(plane, made, signal);
      } catch (error) {
        const refused = error instanceof ToolFailure && error.code === "PROCESS_TASK_REFUSED";
        if (!refused) await withdraw(plane, submit);
        throw error;
      }
    },
  };
}

const SPEC = { network: "none", rationale: "Command of an agent's program (tool process)." };

async function outcomeOf(plane: ControlPlane, made: JsonObject, signal: AbortSignal): Promise<JsonObject> {
  const url = `${plane.url}/v1/tasks/${encodeURIComponent(textOf(made.id))}`;
  const task = await untilOver(plane, { url, task: made, signal });
  const output = await untilAnswered({
    signal,
    ask: () => askPlane(plane, { method: "GET", url: `${url}/output`, signal }),
  });
  return {
    task: textOf(made.id),
    status: task.status ?? null,
    reason: task.reason ?? null,
    code: task.exit_code ?? null,
    signal: task.signal ?? null,
    stdout: output.value ?? output.text ?? null,
  };
}

/** Nobody waits for it any more. The same key gives the same task, also where its id never came. */
async function withdraw(
  plane: ControlPlane,
  submit: (signal: AbortSignal) => Promise<JsonObject>,
): Promise<void> {
  const signal = AbortSignal.timeout(CANCEL_LIMIT_MS);
  try {
    const { id } = await submit(signal);
    const url = `${plane.url}/v1/tasks/${encodeURIComponent(textOf(id))}/cancel`;
    await askPlane(plane, { method: "POST", url, body: { reason: "its agent's call is over" }, signal });
  } catch (error) {
    // Out of reach or over: the key is in the log.
    if (!(error instanceof ToolFailure)) throw error;
  }
}
