import { createAnswers } from "../../../mcp/answers.ts";
import { caziCatalog } from "../../../mcp/catalog.ts";
import { type CliContext, connect } from "../context.ts";
import { exitCodes } from "../exitCode.ts";
import type { McpKind } from "../mcpCommands.ts";
import { type Format, render } from "../output/render.ts";
import { type Column, table } from "../output/table.ts";
import { callFrom } from "./mcpCall.ts";

interface Listed {
  readonly name: string;
  readonly title: string;
  readonly uri?: string;
  readonly uriTemplate?: string;
}

const columns: readonly Column<Listed>[] = [
  { title: "NAME", cell: (one) => one.uri ?? one.uriTemplate ?? one.name },
  { title: "TITLE", cell: (one) => one.title },
];

/** Prints what agents have, as they get it. Only resources need a server. */
export async function mcpList(
  context: CliContext,
  kind: McpKind,
  options: { readonly cursor?: string; readonly output: Format },
): Promise<number> {
  const answers = createAnswers(caziCatalog, () => connect(context, "mcp"));
  const call = callFrom(context);
  const value: Readonly<Record<string, unknown>> = {
    ...(await answers[`${kind}/list`]({ cursor: options.cursor }, call)),
    ...(kind === "resources" ? await answers["resources/templates/list"]({}, call) : {}),
  };
  const items = [value[kind], value.resourceTemplates].flat().filter((one) => one !== undefined) as Listed[];
  await context.output.data(
    await render(options.output, { value, items, table: () => table(columns, items) }),
  );
  if (typeof value.nextCursor === "string" && options.output === "table") {
    await context.output.message(`there are more: --cursor ${value.nextCursor}`);
  }
  return exitCodes.ok;
}
