/**
 * `process` as a declared task of a control plane: the command runs in a container of the operator's image, with a record
 * of its own. The task's id is in this run's log before the command ends, and its outcome in the call's result.
 */
import { randomUUID } from "node:crypto";
import { isJsonObject, type JsonObject, type JsonValue } from "../membrane/jsonText.ts";
import { NetworkFault, type NetworkPort } from "../network/networkPort.ts";
import { ToolFailure } from "../tools/tool.ts";
import type { TaskCommand, TaskRunner } from "./taskRunner.ts";

export interface ControlPlane {
  /** Without a slash at its end. */
  readonly url: string;
  readonly token: string;
  /** What commands run in: the operator's choice, never the program's. */
  readonly image: string;
  readonly network: NetworkPort;
}

/** One request waits so long for the task's end; then another one does. */
const WAIT_SECONDS = 20;
const CANCEL_LIMIT_MS = 10_000;
const ENDED = new Set(["succeeded", "failed", "cancelled", "blocked"]);

export function controlPlaneRunner(plane: ControlPlane): TaskRunner {
  return {
    async run({ command, args, signal, record }: TaskCommand): Promise<JsonObject> {
      const key = randomUUID();
      const submit = (until: AbortSignal) => {
        const body = { ...SPEC, image: plane.image, command: [command, ...args] };
        return ask(plane, { method: "POST", path: "/v1/tasks", body, key, signal: until });
      };
      // Before the effect: by the key the task is found, whatever becomes of the answer.
      record("process_task", { idempotency_key: key });
      try {
        const made = await submit(signal);
        signal.throwIfAborted();
        record("process_task", { idempotency_key: key, task: text(made.id) });
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
  const path = `/v1/tasks/${encodeURIComponent(text(made.id))}`;
  let task = made;
  while (!ENDED.has(text(task.status))) {
    task = await ask(plane, { method: "GET", path: `${path}?wait=${WAIT_SECONDS}`, signal });
  }
  const output = await ask(plane, { method: "GET", path: `${path}/output`, signal });
  return {
    task: text(made.id),
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
    const path = `/v1/tasks/${encodeURIComponent(text(id))}/cancel`;
    await ask(plane, { method: "POST", path, body: { reason: "its agent's call is over" }, signal });
  } catch (error) {
    // Out of reach or over: the key is in the log.
    if (!(error instanceof ToolFailure)) throw error;
  }
}

/** @throws ToolFailure `PROCESS_TASK_REFUSED` with the control plane's code, `PROCESS_TASK_UNKNOWN` */
async function ask(
  plane: ControlPlane,
  of: {
    readonly method: "GET" | "POST";
    readonly path: string;
    readonly body?: JsonObject;
    readonly key?: string;
    readonly signal: AbortSignal;
  },
): Promise<JsonObject> {
  const { method, path, body, key, signal } = of;
  const headers = {
    authorization: `Bearer ${plane.token}`,
    "content-type": "application/json",
    ...(key === undefined ? {} : { "idempotency-key": key }),
  };
  const text = body === undefined ? null : JSON.stringify(body);
  const answer = await plane.network
    .send({ url: plane.url + path, method, headers, body: text, signal })
    .catch((error) => {
      if (!(error instanceof NetworkFault)) throw error;
      throw new ToolFailure("PROCESS_TASK_UNKNOWN", "the control plane does not answer");
    });
  const value = objectOf(answer.text);
  if (answer.status >= 200 && answer.status < 300 && value !== null) return value;
  if (answer.status >= 500 || answer.status === 429)
    throw new ToolFailure("PROCESS_TASK_UNKNOWN", "the control plane does not answer now");
  const code = typeof value?.code === "string" ? value.code : `status ${answer.status}`;
  throw new ToolFailure("PROCESS_TASK_REFUSED", `the control plane refuses it: ${code}`);
}

function objectOf(text: string): JsonObject | null {
  try {
    const value = JSON.parse(text) as JsonValue;
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}

function text(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}
