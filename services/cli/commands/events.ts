import type { ApiTaskEvent } from "../../../schemas/api/taskEvent.ts";
import { type CliContext, connect } from "../context.ts";
import { exitCodes } from "../exitCode.ts";
import type { Format } from "../output/render.ts";
import type { Column } from "../output/table.ts";
import { allPages } from "./allPages.ts";
import { printPage } from "./printPage.ts";

const columns: readonly Column<ApiTaskEvent>[] = [
  { title: "SEQ", cell: (event) => event.seq },
  { title: "AT", cell: (event) => event.at },
  { title: "TYPE", cell: (event) => event.type },
  { title: "STATUS", cell: (event) => event.status },
  { title: "ATTEMPT", cell: (event) => event.attempt },
  { title: "NODE", cell: (event) => event.node },
  { title: "WHO", cell: (event) => whoText(event.who) },
];

/** The actor, and the person who answers for it where that is another. */
function whoText(who: ApiTaskEvent["who"]): string | null {
  if (who === null || who.accountable === null) return who?.actor ?? null;
  return `${who.actor} for ${who.accountable}`;
}

/** Prints a task's history, oldest first. */
export async function events(
  context: CliContext,
  id: string,
  options: { readonly limit: number; readonly cursor?: string; readonly output: Format },
): Promise<number> {
  const client = connect(context);
  const page = await allPages(options.limit, options.cursor, (part) => client.listTaskEvents(id, part));
  await printPage(context.output, options.output, { page, columns });
  return exitCodes.ok;
}
