import { type CliContext, connect } from "../context.ts";
import { exitCodes } from "../exitCode.ts";

/** The MCP server on this process's standard streams, until the client closes them. */
export async function mcp(context: CliContext): Promise<number> {
  const { stdin, stdout, version } = context;
  const { serveStdio } = await import("../../../mcp/stdio.ts");
  await serveStdio({ connect: () => connect(context, "mcp"), stdin, stdout, version });
  return exitCodes.ok;
}
