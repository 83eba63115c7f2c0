import type { CliContext } from "../context.ts";
import { exitCodes } from "../exitCode.ts";
import { type Format, render } from "../output/render.ts";
import { table } from "../output/table.ts";

/** Prints every setting in force, and where its value came from. */
export async function config(context: CliContext, options: { readonly output: Format }): Promise<number> {
  const { shown } = context.settings();
  const forPeople = () =>
    table(
      [
        { title: "VARIABLE", cell: (one) => one.variable },
        { title: "VALUE", cell: (one) => one.value },
        { title: "ORIGIN", cell: (one) => one.origin },
        { title: "MEANING", cell: (one) => one.about },
      ],
      shown,
    );
  await context.output.data(await render(options.output, { value: shown, items: shown, table: forPeople }));
  return exitCodes.ok;
}
