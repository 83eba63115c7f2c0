/** Takes traces as a collector does: OTLP/HTTP with JSON bodies. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";
import { traceIdOf } from "../../services/kernel/tracing/traceContext.ts";

export interface CollectedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  /** "" or missing for one that begins its trace. */
  readonly parentSpanId?: string;
  readonly attributes: readonly { readonly key: string; readonly value: Record<string, unknown> }[];
}

export interface OtlpCollector {
  /** For `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  readonly url: string;
  /** Spans of the trace of `traceparent` that have come so far. */
  of(traceparent: string): readonly CollectedSpan[];
  /** Nothing listens there any more. */
  stop(): Promise<void>;
}

export async function startOtlpCollector(): Promise<OtlpCollector> {
  const spans: CollectedSpan[] = [];
  const server = createServer(async (request, reply) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const bytes = Buffer.concat(parts);
    const text = request.headers["content-encoding"] === "gzip" ? gunzipSync(bytes) : bytes;
    if (request.url === "/v1/traces") spans.push(...spansIn(JSON.parse(text.toString("utf8"))));
    reply.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    of: (traceparent) => spans.filter((span) => span.traceId === traceIdOf(traceparent)),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

// biome-ignore lint/suspicious/noExplicitAny: the shape is another project's
function spansIn(body: any): CollectedSpan[] {
  // biome-ignore lint/suspicious/noExplicitAny: the same
  return body.resourceSpans.flatMap((resource: any) =>
    // biome-ignore lint/suspicious/noExplicitAny: the same
    resource.scopeSpans.flatMap((scope: any) => scope.spans as CollectedSpan[]),
  );
}

/** The spans that lead from `name` to the trace's beginning, as far as they are there; the one named first. */
export function wayUp(spans: readonly CollectedSpan[], name: string): readonly string[] {
  const way: string[] = [];
  let span = spans.find((one) => one.name === name);
  while (span !== undefined) {
    way.push(span.name);
    const { parentSpanId } = span;
    span = spans.find((one) => one.spanId === parentSpanId);
  }
  return way;
}
