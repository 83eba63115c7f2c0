import { AwsV4Signer } from "aws4fetch";
import { fillTemplate } from "../../domain/sinks/template.ts";
import type { OutputSink } from "../../domain/spec/outputSinks.ts";
import type { LogSource } from "../../kernel/logs/logSource.ts";
import { deliveryId, type SinkOfTask, s3Endpoint, templateValues } from "../attempt.ts";
import { contentOf } from "../content.ts";
import { type Guard, guardedRequest } from "../http/guardedRequest.ts";
import { outcomeOfAnswer } from "../http/outcomeOfAnswer.ts";
import { uploadMsPerMib, webhookMs } from "../limits.ts";
import { delivered, type Outcome } from "../outcome.ts";
import type { SinkSecrets } from "../sinkSecrets.ts";

const MIB = 1024 * 1024;

/**
 * Puts the output into a bucket, as one object of known length that is streamed from LOGS. The key is the same in every
 * try, and the digest of the bytes is signed, so that a repeat leaves the same object and half of one is never taken.
 */
export async function putObject(
  ports: {
    readonly logs: LogSource;
    readonly guard: Guard;
    readonly secrets: SinkSecrets;
    readonly now: () => number;
  },
  of: SinkOfTask,
  sink: Extract<OutputSink, { type: "s3" }>,
): Promise<Outcome> {
  const keys = await ports.secrets.s3(of.tenant, sink.connection);
  const content = await contentOf(ports, of);
  const key = fillTemplate(sink.key, templateValues(of));
  const url = new URL(`${s3Endpoint(sink).href.replace(/\/$/, "")}/${sink.bucket}/${key}`);
  const signed = await new AwsV4Signer({
    method: "PUT",
    url: url.href,
    service: "s3",
    region: sink.region,
    accessKeyId: keys.accessKeyId,
    secretAccessKey: keys.secretAccessKey,
    ...(keys.sessionToken === null ? {} : { sessionToken: keys.sessionToken }),
    headers: {
      "content-type": content.mediaType,
      "x-amz-content-sha256": content.sha256,
      "x-amz-meta-cazi-delivery": deliveryId(of),
    },
    datetime: new Date(ports.now()).toISOString().replace(/[:-]|\.\d{3}/g, ""),
  }).sign();
  const answer = await guardedRequest(
    {
      tenant: of.tenant,
      url,
      method: "PUT",
      headers: Object.fromEntries(signed.headers),
      body: { length: content.length, bytes: content.bytes() },
      wholeMs: webhookMs + Math.ceil(content.length / MIB) * uploadMsPerMib,
    },
    ports.guard,
  );
  const outcome = outcomeOfAnswer(answer, ports.now());
  return outcome.result === "delivered"
    ? delivered(`s3://${sink.bucket}/${key} sha256:${content.sha256}`)
    : outcome;
}
