/** One request, tried again a bounded number of times where that may help; every further try is a record. */
import { setTimeout as wait } from "node:timers/promises";
import { type RecordEntry, ToolFailure } from "../tools/tool.ts";
import { type NetworkAnswer, NetworkFault, type NetworkPort, type NetworkRequest } from "./networkPort.ts";

const BACKOFF_FIRST_MS = 100;
/** A server that asks for more is not waited for: the tool's own time is shorter in any case. */
const BACKOFF_MAX_MS = 30_000;

/**
 * @returns the text of the first good answer
 * @throws ToolFailure `NETWORK_…` as the last answer was; an abort ends the waiting as well
 */
export async function sendWithRetries(
  port: NetworkPort,
  request: NetworkRequest,
  of: { readonly tool: string; readonly retries: number; readonly record: RecordEntry },
): Promise<string> {
  for (let attempt = 0; ; attempt++) {
    const outcome = await sendOnce(port, request);
    if ("text" in outcome) {
      if (attempt > 0) of.record("named_network_retry", { tool: of.tool, attempt, outcome: "answered" });
      return outcome.text;
    }
    if (!outcome.again || attempt >= of.retries) {
      if (attempt > 0) of.record("named_network_retry", { tool: of.tool, attempt, outcome: "gave_up" });
      throw outcome.failure;
    }
    const backoffMs = Math.min(outcome.afterMs ?? BACKOFF_FIRST_MS * 2 ** attempt, BACKOFF_MAX_MS);
    of.record("named_network_retry", {
      tool: of.tool,
      attempt,
      outcome: "failed",
      reason: outcome.failure.code,
      backoff_ms: backoffMs,
    });
    await wait(backoffMs, undefined, { signal: request.signal });
  }
}

type Outcome =
  | { readonly text: string }
  | { readonly failure: ToolFailure; readonly again: boolean; readonly afterMs: number | null };

async function sendOnce(port: NetworkPort, request: NetworkRequest): Promise<Outcome> {
  try {
    return outcomeOf(await port.send(request));
  } catch (error) {
    if (!(error instanceof NetworkFault)) throw error;
    if (error.kind === "too_large") return never("NETWORK_TOO_LARGE", "the answer is too large");
    const failure = new ToolFailure("NETWORK_UNREACHABLE", "the endpoint gave no answer");
    return { failure, again: !request.signal.aborted, afterMs: null };
  }
}

/** What a status means. The text of a failure stays outside: it may show what the credential may see. */
export function outcomeOf({ status, retryAfterSeconds, text }: NetworkAnswer): Outcome {
  if (status >= 200 && status < 300) return { text };
  const afterMs = retryAfterSeconds === null ? null : Math.ceil(retryAfterSeconds * 1000);
  if (status >= 300 && status < 400) {
    return never("NETWORK_REDIRECT", "the endpoint points elsewhere, and that is not followed");
  }
  if (status === 401 || (status === 403 && retryAfterSeconds === null)) {
    return never("NETWORK_DENIED", `the endpoint refused the credential (status ${status})`);
  }
  if (status === 404 || status === 410) return never("NETWORK_NOT_FOUND", "the endpoint knows no such thing");
  if (status === 429 || status === 403) {
    return { failure: new ToolFailure("NETWORK_LIMITED", "the endpoint asks to wait"), again: true, afterMs };
  }
  const failure = new ToolFailure("NETWORK_STATUS", `the endpoint answered with status ${status}`);
  return { failure, again: status >= 500, afterMs };
}

function never(code: string, message: string): Outcome {
  return { failure: new ToolFailure(code, message), again: false, afterMs: null };
}
