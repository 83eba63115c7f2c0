import { caziCatalog } from "../../../mcp/catalog.ts";
import { findResource } from "../../../mcp/findInCatalog.ts";
import { type CliContext, connect } from "../context.ts";
import { exitCodes } from "../exitCode.ts";
import { callFrom } from "./mcpCall.ts";

/** Prints a resource: its text, or its bytes. @throws Rejection `RESOURCE_NOT_FOUND`, and what the API answers */
export async function mcpRead(context: CliContext, uri: string): Promise<number> {
  const { definition, params } = findResource(caziCatalog, uri);
  const body = await definition.read(connect(context, "mcp"), params, callFrom(context));
  await context.output.data(
    "text" in body ? endedLine(body.text, body.mimeType) : Buffer.from(body.blob, "base64"),
  );
  return exitCodes.ok;
}

/** JSON gets a newline for the terminal; what a task printed stays as it is. */
function endedLine(text: string, mimeType: string | undefined): string {
  return mimeType?.includes("json") ? `${text}\n` : text;
}
