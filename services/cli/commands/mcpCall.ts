import type { Call } from "../../../mcp/call.ts";
import { runTool } from "../../../mcp/callTool.ts";
import { caziCatalog } from "../../../mcp/catalog.ts";
import { argumentsOfJson, argumentsOfPairs } from "../../../mcp/commandArguments.ts";
import { findTool } from "../../../mcp/findInCatalog.ts";
import { Rejection } from "../../kernel/errors.ts";
import { type CliContext, connect } from "../context.ts";
import { exitCodes } from "../exitCode.ts";
import { type Format, render } from "../output/render.ts";
import { readSpecFile } from "./readSpecFile.ts";

/**
 * Calls a tool as an agent would, and prints its result.
 * @throws Rejection `TOOL_UNKNOWN`, `USAGE`, `REQUEST_INVALID`, and what the API answers
 */
export async function mcpCall(
  context: CliContext,
  asked: { readonly tool: string; readonly pairs: readonly string[] },
  options: { readonly json?: string; readonly output: Format },
): Promise<number> {
  const tool = findTool(caziCatalog, asked.tool);
  if (options.json !== undefined && asked.pairs.length > 0) {
    throw new Rejection("USAGE", "give the arguments as name=value or as --json, not both");
  }
  const input =
    options.json === undefined
      ? argumentsOfPairs(tool, await Promise.all(asked.pairs.map((pair) => withFile(context, pair))))
      : argumentsOfJson(options.json);
  const value = await runTool(tool, {
    connect: () => connect(context, "mcp"),
    input,
    call: callFrom(context),
  });
  const items = "data" in value && Array.isArray(value.data) ? { items: value.data } : {};
  await context.output.data(await render(options.output, { value, ...items, table: () => "" }));
  return exitCodes.ok;
}

/** A call that nothing ends, and whose progress is for whoever sits at the terminal. */
export function callFrom(context: Pick<CliContext, "output" | "clock">): Call {
  const { output, clock } = context;
  return {
    signal: new AbortController().signal,
    progress: output.stderrIsTerminal ? (now) => output.message(now.message ?? "") : null,
    traceparent: null,
    clock,
  };
}

/** `spec=@task.yaml` → `spec=<what the file holds>`. @throws Rejection `FILE_UNREADABLE` */
async function withFile(context: Pick<CliContext, "stdin">, pair: string): Promise<string> {
  const at = pair.indexOf("=@");
  if (at < 1 || at !== pair.indexOf("=")) return pair;
  const { text } = await readSpecFile(context, pair.slice(at + 2));
  return `${pair.slice(0, at)}=${text}`;
}
