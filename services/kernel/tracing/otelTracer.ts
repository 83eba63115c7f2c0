/** The tracer that sends: OpenTelemetry's SDK to an OTLP/HTTP endpoint. Loaded by `openTracer` alone. */
import {
  type Context,
  type Tracer as OtelTracer,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { BatchSpanProcessor, type NodeTracerConfig, NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
import type { Span, SpanAttributes, Tracer } from "./tracer.ts";

/** Spans that wait to be sent; what comes beyond is dropped: traces never hold up what they are of. */
const QUEUE_MAX = 4_096;
const BATCH_MAX = 512;
const SEND_EVERY_MS = 1_000;
/** An endpoint that does not answer for so long has lost this batch. */
const SEND_TIMEOUT_MS = 5_000;
/** What is left at the end has this long. */
const STOP_WAIT_MS = 2_000;

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  internal: SpanKind.INTERNAL,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const;

export function createOtelTracer(of: {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Such as `service.name`. */
  readonly resource: SpanAttributes;
}): Tracer {
  const exporter = new OTLPTraceExporter({
    url: of.url,
    headers: { ...of.headers },
    timeoutMillis: SEND_TIMEOUT_MS,
  });
  const processor = new BatchSpanProcessor(exporter, {
    maxQueueSize: QUEUE_MAX,
    maxExportBatchSize: BATCH_MAX,
    scheduledDelayMillis: SEND_EVERY_MS,
    exportTimeoutMillis: SEND_TIMEOUT_MS,
  });
  const provider = new NodeTracerProvider({ resource: resourceOf(of.resource), spanProcessors: [processor] });
  const tracer = provider.getTracer("cazi");
  return {
    on: true,
    startSpan: (name, { parent, kind = "internal", attributes = {} }) =>
      start(tracer, name, { context: contextOf(parent), kind, attributes }),
    stop: () => withinBound(provider.shutdown()),
  };
}

function start(
  tracer: OtelTracer,
  name: string,
  of: { readonly context: Context; readonly kind: keyof typeof kinds; readonly attributes: SpanAttributes },
): Span {
  const span = tracer.startSpan(name, { kind: kinds[of.kind], attributes: of.attributes }, of.context);
  const { traceId, spanId, traceFlags } = span.spanContext();
  return {
    traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`,
    set: (attributes) => span.setAttributes(attributes),
    end: (error) => {
      if (error !== undefined) {
        const message = error instanceof Error ? error.message : String(error);
        span.setStatus({ code: SpanStatusCode.ERROR, message });
      }
      span.end();
    },
  };
}

function contextOf(traceparent: string | null): Context {
  if (traceparent === null) return ROOT_CONTEXT;
  const [, traceId, spanId, flags] = traceparent.split("-") as [string, string, string, string];
  const traceFlags = Number.parseInt(flags, 16);
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}

/** The SDK's resource is an interface; its own package is none of ours. */
function resourceOf(attributes: SpanAttributes): NonNullable<NodeTracerConfig["resource"]> {
  const resource: NonNullable<NodeTracerConfig["resource"]> = {
    attributes: { ...attributes },
    merge: () => resource,
    getRawAttributes: () => Object.entries(attributes),
  };
  return resource;
}

/** An endpoint that is down must not keep a process from ending. */
async function withinBound(ending: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, STOP_WAIT_MS);
  });
  await Promise.race([ending.catch(() => undefined), late]);
  clearTimeout(timer);
}
