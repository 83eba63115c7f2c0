import { type CliContext, connect } from "../context.ts";
import { exitCodes } from "../exitCode.ts";

/** The MCP server on this process's standard streams, until the client closes them. */
export async function mcp(context: CliContext): Promise<number> {
  const { stdin, stdout, version, clock } = context;
  const [{ serveStdio }, { tracedFetch }] = await Promise.all([
    import("../../../mcp/stdio.ts"),
    import("../../../mcp/call.ts"),
  ]);
  await serveStdio({
    connect: ({ traceparent }) => connect(context, "mcp", tracedFetch(context.fetch, traceparent)),
    stdin,
    stdout,
    version,
    clock,
  });
  return exitCodes.ok;
}
