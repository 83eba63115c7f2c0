import { headers as names } from "../../../schemas/api/headers.ts";
import { type CliContext, connect } from "../context.ts";
import { exitCodes } from "../exitCode.ts";
import { type Format, render } from "../output/render.ts";

export interface OutputOptions {
  readonly raw?: true;
  readonly stream?: "stdout" | "stderr";
  readonly attempt?: number;
  readonly output: Format;
}

/** Prints a task's output: parsed as its spec says, or its very bytes. */
export async function output(context: CliContext, id: string, options: OutputOptions): Promise<number> {
  const client = connect(context);
  if (!options.raw) {
    const value = await client.getTaskOutput(id);
    const text = () =>
      typeof value.value === "string" ? value.value : `${JSON.stringify(value.value, null, 2)}\n`;
    await context.output.data(await render(options.output, { value, table: text }));
    if (value.parse_error !== null)
      await context.output.message(`not ${value.format}: ${value.parse_error.message}`);
    return exitCodes.ok;
  }
  const { stream, attempt } = options;
  const response = await client.getRawOutput(id, { stream, attempt });
  for await (const bytes of response.body ?? []) await context.output.data(bytes);
  const dropped = response.headers.get(names.dropped);
  if (dropped !== null)
    await context.output.message(
      `${dropped} bytes were not kept: beyond max_output_bytes, or there was no room`,
    );
  if (response.headers.get(names.complete) !== "true")
    await context.output.message("there may be more: the task is not over");
  return exitCodes.ok;
}
