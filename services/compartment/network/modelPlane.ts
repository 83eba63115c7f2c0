/**
 * `model.call` of a script that is a task: the control plane asks the model, with a key that is in no node. A call is known
 * by its number, which is in this run's log before it is asked for: asking again is the same call, made once.
 */
import type { JsonObject } from "../membrane/jsonText.ts";
import { sha256 } from "../membrane/sha256.ts";
import { askPlane, type PlaneCodes, textOf, untilAnswered } from "../process/planeRequest.ts";
import type { RecordEntry } from "../tools/tool.ts";
import type { NetworkPort } from "./networkPort.ts";

export interface ModelPlane {
  /** Of the route that takes calls, without a slash at its end. */
  readonly url: string;
  /** Of the attempt: it names the task, and dies with it. */
  readonly token: string;
  readonly network: NetworkPort;
}

const CODES: PlaneCodes = {
  refused: "MODEL_CALL_REFUSED",
  unknown: "MODEL_CALL_UNKNOWN",
  lost: "MODEL_OUTCOME_UNKNOWN",
};

/**
 * One of each run: it counts the calls. What it sends fails with `MODEL_CALL_REFUSED`, of which the model knows nothing, or
 * `MODEL_CALL_UNKNOWN`; what the model's own address answers is an answer.
 */
export function modelPlane(plane: ModelPlane): (record: RecordEntry) => NetworkPort {
  let calls = 0;
  return (record) => ({
    async send({ url: endpoint, body, signal }) {
      const number = calls++;
      const { model, input } = JSON.parse(body ?? "{}") as JsonObject;
      const question = { endpoint, model: model ?? null, input: input ?? null };
      record("model_request", { number, request_sha256: sha256(body ?? "") });
      const url = `${plane.url}/${number}`;
      const ask = () => askPlane(plane, { method: "POST", url, body: question, signal }, CODES);
      const { status, retry_after_seconds, text } = await untilAnswered({ signal, ask });
      return {
        status: Number(status),
        retryAfterSeconds: typeof retry_after_seconds === "number" ? retry_after_seconds : null,
        text: textOf(text),
      };
    },
  });
}
