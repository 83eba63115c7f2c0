import { type CliContext, connect } from "../context.ts";
import { exitCodes } from "../exitCode.ts";

/** The MCP server on this process's standard streams, until the client closes them. */
export async function mcp(context: CliContext): Promise<number> {
  const { stdin, stdout, version, clock } = context;
  const [{ serveStdio }, { tracedFetch }, { openTracer }] = await Promise.all([
    import("../../../mcp/stdio.ts"),
    import("../../../mcp/call.ts"),
    import("../../kernel/tracing/openTracer.ts"),
  ]);
  const tracer = await openTracer({ config: context.settings().config });
  await serveStdio({
    connect: ({ traceparent }) => connect(context, "mcp", tracedFetch(context.fetch, traceparent)),
    stdin,
    stdout,
    version,
    clock,
    onBug: (error) => void context.output.message(error instanceof Error ? `${error.stack}` : String(error)),
    tracer,
  });
  await tracer.stop();
  return exitCodes.ok;
}
