import { problemPath, problems, problemTitle } from "../../../schemas/problems/catalogue.ts";
import { problemMarkdown } from "../../../schemas/problems/problemPage.ts";
import { Rejection } from "../../kernel/errors.ts";
import { type CliContext, connect } from "../context.ts";
import { exitCodes } from "../exitCode.ts";
import { attemptStory } from "../output/attemptStory.ts";
import { type Format, render } from "../output/render.ts";
import { table } from "../output/table.ts";

/** As ids are made; no code looks like one. */
const TASK_ID = /^[0-9a-hjkmnp-tv-z]{26}$/;

/** Prints what a code means and what to do, or all codes, without a server; or what became of a task's attempts. */
export async function explain(
  context: CliContext,
  code: string | undefined,
  options: { readonly output: Format },
): Promise<number> {
  if (code !== undefined && TASK_ID.test(code)) {
    const task = await connect(context).getTask(code);
    await context.output.data(await render(options.output, { value: task, table: () => attemptStory(task) }));
    return exitCodes.ok;
  }
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
    throw new Rejection("USAGE", `${code} is neither a code nor a task id`, {
      hint: "`cazi explain` lists all codes, `cazi list` the tasks.",
    });
  }
  await context.output.data(await render(options.output, { value: pageOf(known), table: () => text }));
  return exitCodes.ok;
}

function pageOf(code: string) {
  return { code, title: problemTitle(code), type: problemPath(code), ...problems[code]! };
}
