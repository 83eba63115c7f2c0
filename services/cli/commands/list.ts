import type { TaskSummary } from "../../../schemas/api/task.ts";
import { type CliContext, connect } from "../context.ts";
import { exitCodes } from "../exitCode.ts";
import type { Format } from "../output/render.ts";
import type { Column } from "../output/table.ts";
import { allPages } from "./allPages.ts";
import { type FilterOptions, filtersOf } from "./filtersOf.ts";
import { printPage } from "./printPage.ts";

export interface ListCommandOptions extends FilterOptions {
  readonly limit: number;
  readonly cursor?: string;
  readonly output: Format;
}

const columns: readonly Column<TaskSummary>[] = [
  { title: "ID", cell: (task) => task.id },
  { title: "STATUS", cell: (task) => task.status },
  { title: "REASON", cell: (task) => task.reason },
  { title: "EXIT", cell: (task) => task.exit_code },
  { title: "NODE", cell: (task) => task.node },
  { title: "SUBMITTED", cell: (task) => task.submitted_at },
  { title: "NAME", cell: (task) => task.name },
];

/** Prints tasks, newest first. */
export async function list(context: CliContext, options: ListCommandOptions): Promise<number> {
  const client = connect(context);
  const filters = filtersOf(options, context.clock.now());
  const page = await allPages(options.limit, options.cursor, (part) =>
    client.listTasks({ ...part, ...filters }),
  );
  await printPage(context.output, options.output, { page, columns });
  return exitCodes.ok;
}
