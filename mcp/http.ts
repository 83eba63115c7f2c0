/**
 * MCP over Streamable HTTP, in the version that each request says. Nothing is kept between requests: each is
 * answered by a server of its own, so that any replica answers any request and a restart loses nothing.
 */
import type { ApiClient } from "../services/kernel/client/apiClient.ts";
import type { Clock } from "../services/kernel/clock.ts";
import type { Tracer } from "../services/kernel/tracing/tracer.ts";
import { createAnswers } from "./answers.ts";
import type { Call } from "./call.ts";
import { type Catalog, caziCatalog } from "./catalog.ts";
import { eraOf } from "./era.ts";
import { hideBugs } from "./hideBugs.ts";
import { batchMax } from "./limits.ts";
import { messageId } from "./messageId.ts";
import { refuseWrongParams } from "./refuseWrongParams.ts";
import { refusalOf, wrongParams } from "./requestParams.ts";
import type { ServerParts } from "./servers/server.ts";
import { traceAnswers } from "./traceAnswers.ts";

/** One request, as the server that listens hands it on: it has checked Host, Origin, token and size. */
export interface McpRequest {
  /** A POST without its body; its signal ends what it began. */
  readonly request: Request;
  readonly body: string;
  /** Finds the API with the caller's own token. */
  readonly connect: (call: Call) => ApiClient;
}

export interface McpHttpOptions {
  readonly version: string;
  readonly clock: Clock;
  /** Told of what a library refused or could not do; the answer says it as well. */
  readonly onTrouble?: (error: Error) => void;
  /** Told of what should not be; the caller is only told that something was. */
  readonly onBug: (error: unknown) => void;
  /** {@link caziCatalog} unless given. */
  readonly catalog?: Catalog;
  readonly tracer?: Tracer;
}

/** @returns answers one request */
export function createMcpHttp(options: McpHttpOptions): (of: McpRequest) => Promise<Response> {
  const { version, clock, tracer, onBug, catalog = caziCatalog, onTrouble = () => undefined } = options;
  return async ({ request, body, connect }) => {
    const message = parsed(body);
    if (message === undefined) return refusal(-32_700, "The body is not JSON.");
    if (Array.isArray(message) && (message.length === 0 || message.length > batchMax)) {
      return refusal(-32_600, `A batch holds at least one and at most ${batchMax} messages.`);
    }
    const ofRequest = request.headers.get("traceparent");
    const answers = hideBugs(traceAnswers(createAnswers(catalog, connect), tracer, ofRequest), onBug);
    const parts = { catalog, version, clock, answers };
    const era = eraOf(message, request.headers.get("mcp-protocol-version"));
    const answer = era === "2026" ? answer2026 : answer2025;
    return answer(parts, { request, message, onTrouble });
  };
}

/** Nobody reads it. */
const clientGone = 499;

interface Asked {
  readonly request: Request;
  readonly message: unknown;
  readonly onTrouble: (error: Error) => void;
}

async function answer2026(parts: ServerParts, { request, message, onTrouble }: Asked): Promise<Response> {
  const [{ createServer2026 }, { createMcpHandler }] = await Promise.all([
    import("./servers/server2026.ts"),
    import("@modelcontextprotocol/server"),
  ]);
  const wrong = wrongParams(message, false);
  const id = messageId(message);
  if (wrong !== null && id !== null) return Response.json(refusalOf(id, wrong));
  const handler = createMcpHandler(() => createServer2026(parts), { legacy: "reject", onerror: onTrouble });
  return handler.fetch(request, { parsedBody: message });
}

async function answer2025(parts: ServerParts, { request, message, onTrouble }: Asked): Promise<Response> {
  const [{ createServer2025, wrongMessage }, { WebStandardStreamableHTTPServerTransport }] =
    await Promise.all([
      import("./servers/server2025.ts"),
      import("@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js"),
    ]);
  const wrong = wrongMessage(message);
  if (wrong !== null) return refusal(-32_600, `The body ${wrong}`, messageId(message));
  const server = createServer2025(parts);
  // One JSON answer where nothing comes before it; a stream where progress does.
  const transport = new WebStandardStreamableHTTPServerTransport({
    enableJsonResponse: !asksProgress(message),
  });
  server.onerror = onTrouble;
  // The caller went away, or has its whole answer: without a session nobody can come back for it.
  const gone = new Promise<Response>((resolve) => {
    const close = () => {
      server.close().catch(onTrouble);
      resolve(new Response(null, { status: clientGone }));
    };
    if (request.signal.aborted) close();
    else request.signal.addEventListener("abort", close, { once: true });
  });
  await server.connect(refuseWrongParams(transport, onTrouble));
  return Promise.race([transport.handleRequest(request, { parsedBody: message }), gone]);
}

function asksProgress(message: unknown): boolean {
  const messages = Array.isArray(message) ? message : [message];
  return messages.some((one) => one?.params?._meta?.progressToken !== undefined);
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function refusal(code: number, message: string, id: string | number | null = null): Response {
  return Response.json({ jsonrpc: "2.0", id, error: { code, message } }, { status: 400 });
}
