import type { OutputSink } from "../../domain/spec/outputSinks.ts";
import type { LogSource } from "../../kernel/logs/logSource.ts";
import { deliveryId, type SinkOfTask } from "../attempt.ts";
import { summaryOf } from "../content.ts";
import { type Guard, guardedRequest } from "../http/guardedRequest.ts";
import { outcomeOfAnswer } from "../http/outcomeOfAnswer.ts";
import { webhookMs } from "../limits.ts";
import type { Outcome } from "../outcome.ts";
import type { SinkSecrets } from "../sinkSecrets.ts";
import { webhookHeaders } from "./signWebhook.ts";

/** Posts the summary of a task. At least once: a receiver tells a repeat by `webhook-id`. */
export async function postWebhook(
  ports: {
    readonly logs: LogSource;
    readonly guard: Guard;
    readonly secrets: SinkSecrets;
    readonly now: () => number;
  },
  of: SinkOfTask,
  sink: Extract<OutputSink, { type: "webhook" }>,
): Promise<Outcome> {
  const { now } = ports;
  const secrets = sink.connection === null ? [] : await ports.secrets.signing(of.tenant, sink.connection);
  const body = await summaryOf(ports, of, sink.include_output);
  const headers = {
    "content-type": "application/json",
    "user-agent": "cazi",
    ...(of.state.traceparent === null ? {} : { traceparent: of.state.traceparent }),
    ...webhookHeaders({ id: deliveryId(of), at: now(), body, secrets }),
  };
  const url = new URL(sink.url);
  const answer = await guardedRequest(
    { tenant: of.tenant, url, method: "POST", headers, body, wholeMs: webhookMs },
    ports.guard,
  );
  return outcomeOfAnswer(answer, now());
}
