/** The API's `/mcp`: loaded when it is first asked, because a start has no time for it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Call } from "../../mcp/call.ts";
import type { Catalog } from "../../mcp/catalog.ts";
import type { ApiPorts } from "../../services/control-plane/ports.ts";
import type { Clock } from "../../services/kernel/clock.ts";
import type { Log } from "../../services/kernel/log.ts";
import { projectRoot } from "../../services/kernel/projectRoot.ts";
import { noTracer, type Tracer } from "../../services/kernel/tracing/tracer.ts";

interface Given {
  readonly clock: Clock;
  readonly log: Log;
  readonly tracer?: Tracer;
  /** Cazi's own unless given. */
  readonly catalog?: Catalog;
}

export function mcpOverHttp(of: Given): NonNullable<ApiPorts["mcp"]> {
  let loaded: ReturnType<typeof load> | null = null;
  return async ({ request, body, token, apiUrl }) => {
    loaded ??= load(of).catch((error) => {
      // Files that a build just replaced may be there again at the next request.
      loaded = null;
      throw error;
    });
    const { answer, clientOf, validTraceparent } = await loaded;
    // A client may say its span in the message or, as any HTTP client, in the header.
    const ofRequest = validTraceparent(request.headers.get("traceparent"));
    const connect = (call: Call) => clientOf({ apiUrl, token, traceparent: call.traceparent ?? ofRequest });
    return answer({ request, body, connect });
  };
}

async function load({ clock, log, catalog, tracer = noTracer }: Given) {
  const [{ createMcpHttp }, { tracedFetch, validTraceparent }, { createApiClient }] = await Promise.all([
    import("../../mcp/http.ts"),
    import("../../mcp/call.ts"),
    import("../../services/kernel/client/apiClient.ts"),
  ]);
  const { version } = JSON.parse(readFileSync(join(projectRoot, "package.json"), "utf8"));
  const onTrouble = (error: Error) => log.debug({ error }, "an MCP request was refused or broke off");
  const onBug = (error: unknown) => log.error({ error }, "an MCP request failed");
  return {
    validTraceparent,
    answer: createMcpHttp({ version, clock, onTrouble, onBug, tracer, ...(catalog && { catalog }) }),
    /** A client with the caller's own token: MCP has no rights of its own. */
    clientOf: (caller: { apiUrl: string; token: string; traceparent: string | null }) =>
      createApiClient({
        url: caller.apiUrl,
        token: caller.token,
        route: "mcp",
        clock,
        random: Math.random,
        fetch: tracedFetch(fetch, caller.traceparent),
      }),
  };
}
