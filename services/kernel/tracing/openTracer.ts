import type { Config } from "../config.ts";
import type { Log } from "../log.ts";
import { noTracer, type Tracer } from "./tracer.ts";

/**
 * The tracer that the settings ask for. The library is loaded only where an endpoint is set: it takes some tenths of a
 * second, and a process that traces nothing has no use for it.
 */
export async function openTracer(of: {
  readonly config: Pick<
    Config,
    "otlpEndpoint" | "otlpTracesEndpoint" | "otlpHeaders" | "otelServiceName" | "node"
  >;
  readonly log?: Log;
}): Promise<Tracer> {
  const { config, log } = of;
  const url = tracesUrl(config);
  if (url === null) return noTracer;
  const { createOtelTracer } = await import("./otelTracer.ts");
  log?.info({ endpoint: new URL(url).origin }, "traces are sent");
  return createOtelTracer({
    url,
    headers: headersIn(config.otlpHeaders),
    resource: { "service.name": config.otelServiceName, "cazi.node": config.node },
  });
}

/** What is no name=value is left out, as other programs with this variable do. */
function headersIn(text: string): Record<string, string> {
  const pairs = text.split(",").flatMap((pair) => {
    const [, name, value] = /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/.exec(pair) ?? [];
    return name === undefined ? [] : [[name, decoded(value ?? "")] as const];
  });
  return Object.fromEntries(pairs);
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** An endpoint for traces alone is used as it is; the common one gets the path of traces. */
function tracesUrl(config: {
  readonly otlpEndpoint: string;
  readonly otlpTracesEndpoint: string;
}): string | null {
  if (config.otlpTracesEndpoint !== "") return config.otlpTracesEndpoint;
  return config.otlpEndpoint === "" ? null : `${config.otlpEndpoint.replace(/\/+$/, "")}/v1/traces`;
}
