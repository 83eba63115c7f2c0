import { problemPath, problems, problemTitle } from "../../../schemas/problems/catalogue.ts";
import { problemMarkdown } from "../../../schemas/problems/problemPage.ts";
import { Rejection } from "../../kernel/errors.ts";
import type { CliContext } from "../context.ts";
import { exitCodes } from "../exitCode.ts";
import { type Format, render } from "../output/render.ts";
import { table } from "../output/table.ts";

/** Prints what a code means and what to do, or all codes; asks no server. */
export async function explain(
  context: CliContext,
  code: string | undefined,
  options: { readonly output: Format },
): Promise<number> {
  const pages = Object.keys(problems).map(pageOf);
  if (code === undefined) {
    const list = () =>
      table(
        [
          { title: "CODE", cell: (one) => one.code },
          { title: "STATUS", cell: (one) => one.status },
        ],
        pages,
      );
    await context.output.data(await render(options.output, { value: pages, items: pages, table: list }));
    return exitCodes.ok;
  }
  const known = code.toUpperCase();
  const text = Object.hasOwn(problems, known) ? problemMarkdown(known) : null;
  if (text === null) {
    throw new Rejection("USAGE", `there is no code ${code}`, { hint: "`cazi explain` lists all of them." });
  }
  await context.output.data(await render(options.output, { value: pageOf(known), table: () => text }));
  return exitCodes.ok;
}

function pageOf(code: string) {
  return { code, title: problemTitle(code), type: problemPath(code), ...problems[code]! };
}
