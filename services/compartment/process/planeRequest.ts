/** One request to a control plane, and what a program may know of one that failed. */
import { isJsonObject, type JsonObject, type JsonValue } from "../membrane/jsonText.ts";
import { NetworkFault, type NetworkPort } from "../network/networkPort.ts";
import { ToolFailure } from "../tools/tool.ts";

export interface PlaneRequest {
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly body?: JsonObject;
  /** Idempotency-Key. */
  readonly key?: string;
  readonly signal: AbortSignal;
}

const LATER = new Set([429, 502, 503, 504]);

/** It was not answered, or not now: asking again may help. */
export class PlaneNotNow extends ToolFailure {}

/** @throws ToolFailure `PROCESS_TASK_REFUSED` with the control plane's code, `PROCESS_TASK_UNKNOWN` */
export async function askPlane(
  plane: { readonly token: string; readonly network: NetworkPort },
  { method, url, body, key, signal }: PlaneRequest,
): Promise<JsonObject> {
  const headers = {
    authorization: `Bearer ${plane.token}`,
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    ...(key === undefined ? {} : { "idempotency-key": key }),
  };
  const text = body === undefined ? null : JSON.stringify(body);
  const answer = await plane.network.send({ url, method, headers, body: text, signal }).catch((error) => {
    if (!(error instanceof NetworkFault)) throw error;
    throw new PlaneNotNow("PROCESS_TASK_UNKNOWN", "the control plane does not answer");
  });
  const value = objectOf(answer.text);
  if (answer.status >= 200 && answer.status < 300 && value !== null) return value;
  const code = typeof value?.code === "string" ? value.code : `status ${answer.status}`;
  if (LATER.has(answer.status) && code !== "QUOTA_EXCEEDED")
    throw new PlaneNotNow("PROCESS_TASK_UNKNOWN", `the control plane does not answer now: ${code}`);
  if (answer.status >= 500)
    throw new ToolFailure("PROCESS_TASK_UNKNOWN", `the control plane cannot answer: ${code}`);
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

/** Of an answer's member: its text, or an empty one. */
export function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

const ENDED = new Set(["succeeded", "failed", "cancelled", "blocked"]);

/** Whether an answer tells of a task that is over. */
export function isOver(task: JsonObject): boolean {
  return ENDED.has(textOf(task.status));
}
