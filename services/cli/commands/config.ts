import type { ShownSetting } from "../../kernel/config.ts";
import type { CliContext } from "../context.ts";
import { exitCodes } from "../exitCode.ts";
import { type Format, render } from "../output/render.ts";
import { shown as printable } from "../output/table.ts";
import { wrapText } from "../output/wrapText.ts";

/** As wide as a terminal is where nobody has made it wider. */
const WIDTH = 80;
const INDENT = "    ";

/** Prints every setting in force, and where its value came from. */
export async function config(context: CliContext, options: { readonly output: Format }): Promise<number> {
  const { shown } = context.settings();
  const table = () => shown.map(settingText).join("");
  await context.output.data(await render(options.output, { value: shown, items: shown, table }));
  return exitCodes.ok;
}

/** A setting as it would be written, whole so that it can be copied, and beneath it what it means. Pure. */
function settingText({ variable, value, origin, about }: ShownSetting): string {
  const meaning = wrapText(about, WIDTH - INDENT.length).map((line) => `${INDENT}${line}\n`);
  return `${variable}=${value === "" ? "" : printable(value)}  (${origin})\n${meaning.join("")}`;
}
