import type { ApiDeadLetter } from "../../../schemas/api/deadLetter.ts";
import { type CliContext, connect } from "../context.ts";
import { exitCodes } from "../exitCode.ts";
import { type Format, render } from "../output/render.ts";
import { type Column, fields } from "../output/table.ts";
import { allPages } from "./allPages.ts";
import { printPage } from "./printPage.ts";

interface Formatted {
  readonly output: Format;
}

const columns: readonly Column<ApiDeadLetter>[] = [
  { title: "ID", cell: (one) => one.id },
  { title: "KIND", cell: (one) => one.kind },
  { title: "AT", cell: (one) => one.at },
  { title: "TASK", cell: (one) => one.task },
  { title: "SINK", cell: (one) => one.sink },
  { title: "NODE", cell: (one) => one.node },
  { title: "REASON", cell: (one) => (one.resending ? `sent again; before: ${one.reason}` : one.reason) },
];

/** Prints the messages that could not be handled. */
export async function deadList(
  context: CliContext,
  options: Formatted & { readonly limit: number; readonly cursor?: string },
): Promise<number> {
  const client = connect(context);
  const page = await allPages(options.limit, options.cursor, (part) => client.listDeadLetters(part));
  await printPage(context.output, options.output, { page, columns });
  return exitCodes.ok;
}

/** Prints one of them, whole. */
export async function deadShow(context: CliContext, id: string, options: Formatted): Promise<number> {
  const letter = await connect(context).getDeadLetter(id);
  const shown = () => `${fields(pairsOf(letter))}\n${letter.text ?? letter.base64}\n`;
  await context.output.data(await render(options.output, { value: letter, table: shown }));
  return exitCodes.ok;
}

/** Sends it on its way again. */
export async function deadResend(context: CliContext, id: string, options: Formatted): Promise<number> {
  const letter = await connect(context).resendDeadLetter(id);
  await context.output.data(
    await render(options.output, { value: letter, table: () => fields(pairsOf(letter)) }),
  );
  return exitCodes.ok;
}

/** Removes it for good. */
export async function deadDrop(context: CliContext, id: string): Promise<number> {
  await connect(context).dropDeadLetter(id);
  await context.output.message(`dead letter ${id} is gone`);
  return exitCodes.ok;
}

function pairsOf(letter: ApiDeadLetter) {
  return [
    ["id", letter.id],
    ["kind", letter.kind],
    ["at", letter.at],
    ["reason", letter.reason],
    ["tenant", letter.tenant],
    ["task", letter.task],
    ["sink", letter.sink],
    ["node", letter.node],
    ["sent again", letter.resending],
  ] as const;
}
