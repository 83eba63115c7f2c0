import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Rejection } from "../../kernel/errors.ts";
import { authenticateRequest } from "../http/admit.ts";
import { bearerToken } from "../http/authenticate.ts";
import { isAllowedOrigin } from "../http/originHeader.ts";
import { whenOver } from "../http/readRequest.ts";
import { traceOf } from "../http/traceRequests.ts";
import type { ApiPorts } from "../ports.ts";

/**
 * MCP over HTTP. What is spoken there is not known here: the request is checked as any other (host, origin, token,
 * size, media type) and handed on, and what answers it comes back to this API with the caller's own token. There
 * is only POST: no session, so nothing to listen to and nothing to end.
 */
export async function mcpRoute(app: FastifyInstance, ports: ApiPorts): Promise<void> {
  const { mcp, hosts, stopping } = ports;
  if (mcp === null) return;
  app.addHook("onRequest", async (request, reply) => {
    const { origin, host } = request.headers;
    if (!isAllowedOrigin({ origin, host, allowed: hosts })) throw originNotAllowed();
    // What the tools ask of the API is counted there.
    await authenticateRequest(ports, request, reply);
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "string" }, (_request, body, done) =>
    done(null, body),
  );
  app.post("/mcp", {
    schema: { hide: true },
    handler: (request, reply) =>
      mcp({
        request: webRequest(request, endOf(reply, stopping)),
        body: typeof request.body === "string" ? request.body : "",
        token: bearerToken(request.headers.authorization) ?? "",
        apiUrl: ownUrl(app),
      }),
  });
}

/**
 * Aborts when the client goes away or the server ends. `AbortSignal.any` would do, and leave something behind on
 * `stopping` for each request.
 */
function endOf(reply: FastifyReply, stopping: AbortSignal): AbortSignal {
  const end = new AbortController();
  const abort = () => end.abort();
  if (stopping.aborted) abort();
  stopping.addEventListener("abort", abort);
  whenOver(reply, () => {
    stopping.removeEventListener("abort", abort);
    abort();
  });
  return end.signal;
}

/** The request without its body, which was read. */
function webRequest(asked: FastifyRequest, signal: AbortSignal): Request {
  const { headers, method, url } = asked;
  const given = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === "string" ? [[name, value] as [string, string]] : [],
  );
  const request = new Request(new URL(url, `http://${headers.host}`), { method, headers: given, signal });
  const { traceparent } = traceOf(asked);
  if (traceparent !== null) request.headers.set("traceparent", traceparent);
  return request;
}

/** Where this process reaches its own API. */
function ownUrl(app: FastifyInstance): string {
  const address = app.server.address();
  if (address === null || typeof address === "string") throw new Error("the API does not listen");
  const everywhere: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "[::1]" };
  const host = address.family === "IPv6" ? `[${address.address}]` : address.address;
  return `http://${everywhere[address.address] ?? host}:${address.port}`;
}

function originNotAllowed(): Rejection {
  return new Rejection("ORIGIN_NOT_ALLOWED", "The request comes from a web page of another machine.", {
    hint: "Connect from a program, or add the page's name to CAZI_ALLOWED_HOSTS.",
  });
}
