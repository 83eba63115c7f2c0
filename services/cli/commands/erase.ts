import { createInterface } from "node:readline/promises";
import { Rejection } from "../../kernel/errors.ts";
import { type CliContext, connect } from "../context.ts";
import { exitCodes } from "../exitCode.ts";
import { type Format, render } from "../output/render.ts";

/**
 * Erases a task that is over, once somebody has said yes. Nothing brings it back.
 * @throws Rejection `USAGE` where there is nobody to ask
 */
export async function erase(
  context: CliContext,
  id: string,
  options: { readonly yes?: true; readonly output: Format },
): Promise<number> {
  const client = connect(context);
  if (!options.yes && !(await agreed(context, id))) return exitCodes.ok;
  const erased = await client.eraseTask(id);
  const given = erased.sinks_given_up;
  const lines = `${id} is erased\n${given > 0 ? `its output never goes to ${given} of its sinks\n` : ""}`;
  await context.output.data(await render(options.output, { value: erased, table: () => lines }));
  return exitCodes.ok;
}

async function agreed(context: CliContext, id: string): Promise<boolean> {
  const { stdin, stderr, output } = context;
  if (!output.stderrIsTerminal || (stdin as { isTTY?: boolean }).isTTY !== true) {
    throw new Rejection("USAGE", "nothing was erased: there is no terminal to ask on", {
      hint: "Add --yes to do it.",
    });
  }
  const asking = createInterface({ input: stdin, output: stderr });
  try {
    const what = `Erase ${id}, its record, output and files? Nothing brings them back. [y/N] `;
    const yes = /^y(es)?$/i.test((await asking.question(what)).trim());
    if (!yes) await output.message("nothing was erased");
    return yes;
  } finally {
    asking.close();
  }
}
