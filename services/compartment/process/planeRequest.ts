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

const AGAIN_MS = 500;
const LATER = new Set([429, 502, 503, 504]);
const ENDED = new Set(["succeeded", "failed", "cancelled", "blocked"]);

/** It was not answered, or not now: asking again may help. */
class PlaneNotNow extends ToolFailure {}

/** What a program is told: of what was refused, and so had no effect; and of what nobody knows the outcome of. */
export interface PlaneCodes {
  readonly refused: string;
  readonly unknown: string;
  /** The control plane's own code for an outcome that it does not know. */
  readonly lost?: string;
}

const OF_PROCESS: PlaneCodes = { refused: "PROCESS_TASK_REFUSED", unknown: "PROCESS_TASK_UNKNOWN" };

/** @throws ToolFailure with one of `codes` and the control plane's code in its message; `PlaneNotNow` */
export async function askPlane(
  plane: { readonly token: string; readonly network: NetworkPort },
  { method, url, body, key, signal }: PlaneRequest,
  codes: PlaneCodes = OF_PROCESS,
): Promise<JsonObject> {
  const headers = {
    authorization: `Bearer ${plane.token}`,
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    ...(key === undefined ? {} : { "idempotency-key": key }),
  };
  const text = body === undefined ? null : JSON.stringify(body);
  const answer = await plane.network.send({ url, method, headers, body: text, signal }).catch((error) => {
    if (!(error instanceof NetworkFault)) throw error;
    throw new PlaneNotNow(codes.unknown, "the control plane does not answer");
  });
  const value = objectOf(answer.text);
  if (answer.status >= 200 && answer.status < 300 && value !== null) return value;
  const code = typeof value?.code === "string" ? value.code : `status ${answer.status}`;
  if (LATER.has(answer.status) && code !== "QUOTA_EXCEEDED")
    throw new PlaneNotNow(codes.unknown, `the control plane does not answer now: ${code}`);
  if (answer.status >= 500 || code === codes.lost)
    throw new ToolFailure(codes.unknown, `the control plane cannot answer: ${code}`);
  throw new ToolFailure(codes.refused, `the control plane refuses it: ${code}`);
}

/** A control plane that does not answer now is asked again, within the time of the call: what is asked for twice is the same. */
export async function untilAnswered(of: {
  readonly signal: AbortSignal;
  readonly ask: () => Promise<JsonObject>;
}): Promise<JsonObject> {
  for (;;) {
    try {
      return await of.ask();
    } catch (error) {
      if (!(error instanceof PlaneNotNow) || of.signal.aborted) throw error;
      await pause(AGAIN_MS, of.signal);
    }
  }
}

/** One request waits so long for a task's end; then another one does. */
const WAIT_SECONDS = 20;

/**
 * Waits until a task is over, one request after the other.
 * @param of `task` as it was last told; `url` is where it is asked for
 * @throws as {@link askPlane}
 */
export async function untilOver(
  plane: Parameters<typeof askPlane>[0],
  of: { readonly url: string; readonly task: JsonObject; readonly signal: AbortSignal },
): Promise<JsonObject> {
  const { url, signal } = of;
  let { task } = of;
  const ask = () => askPlane(plane, { method: "GET", url: `${url}?wait=${WAIT_SECONDS}`, signal });
  while (!ENDED.has(textOf(task.status))) task = await untilAnswered({ signal, ask });
  return task;
}

/** Resolves after `ms`, or at once when `signal` aborts. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const over = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", over);
      resolve();
    };
    const timer = setTimeout(over, ms);
    signal.addEventListener("abort", over, { once: true });
  });
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
