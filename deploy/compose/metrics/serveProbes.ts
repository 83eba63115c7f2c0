/** `/metrics`, `/healthz` and `/readyz` on a port of their own: for roles that have no API. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Health } from "../../../schemas/api/health.ts";
import { isAllowedHost, isLoopback } from "../../../services/control-plane/http/hostHeader.ts";
import { Rejection } from "../../../services/kernel/errors.ts";

export interface ProbePorts {
  readonly listen: { readonly host: string; readonly port: number };
  metricsText(): Promise<string>;
  /** What is missing for serving; empty when nothing is. */
  unready(): Health["reasons"];
}

export interface Probes {
  readonly url: string;
  stop(): Promise<void>;
}

/** A scraper sends a few hundred bytes and reads the answer at once; who is slower is no scraper. */
const REQUEST_MS = 10_000;

/** Resolves when it listens. @throws Rejection `PORT_TAKEN` */
export async function serveProbes(ports: ProbePorts): Promise<Probes> {
  const { host, port } = ports.listen;
  const hosts = isLoopback(host) ? [] : null;
  const server = createServer(
    { requestTimeout: REQUEST_MS, keepAliveTimeout: REQUEST_MS },
    (request, response) => {
      void answer(ports, hosts, request).then(({ status, type, text }) => send(response, status, type, text));
    },
  );
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      reject(error.code === "EADDRINUSE" ? portTaken(host, port) : error),
    );
    server.listen({ host, port }, resolve);
  });
  const address = server.address();
  const bound = typeof address === "object" && address !== null ? address.port : port;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${bound}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

async function answer(
  ports: ProbePorts,
  hosts: readonly string[] | null,
  request: IncomingMessage,
): Promise<Answer> {
  if (!isAllowedHost(request.headers.host, hosts))
    return plain(403, "The Host header names another machine.");
  if (request.method !== "GET" && request.method !== "HEAD") return plain(405, "Only GET is answered here.");
  switch (request.url?.split("?")[0]) {
    case "/metrics":
      return {
        status: 200,
        type: "text/plain; version=0.0.4; charset=utf-8",
        text: await ports.metricsText(),
      };
    case "/healthz":
      return health([]);
    case "/readyz":
      return health(ports.unready());
    default:
      return plain(404, "Here are /metrics, /healthz and /readyz.");
  }
}

function health(reasons: Health["reasons"]): Answer {
  const ready = reasons.length === 0;
  const body: Health = { status: ready ? "ok" : "unavailable", reasons };
  return { status: ready ? 200 : 503, type: "application/json", text: JSON.stringify(body) };
}

function plain(status: number, text: string): Answer {
  return { status, type: "text/plain; charset=utf-8", text: `${text}\n` };
}

function send(response: ServerResponse, status: number, type: string, text: string): void {
  response.writeHead(status, {
    "content-type": type,
    "content-length": Buffer.byteLength(text),
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  });
  response.end(text);
}

function portTaken(host: string, port: number): Rejection {
  return new Rejection("PORT_TAKEN", `Port ${port} of ${host} is taken.`, {
    hint: "Set CAZI_METRICS_PORT to a free port, or unset it.",
  });
}
