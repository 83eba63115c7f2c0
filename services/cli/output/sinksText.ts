import type { SinkView } from "../../../schemas/api/sink.ts";
import { type Column, table } from "./table.ts";

const columns: readonly Column<SinkView>[] = [
  { title: "SINK", cell: (one) => one.id },
  { title: "TYPE", cell: (one) => one.type },
  { title: "STATUS", cell: (one) => one.status },
  { title: "SETTLED", cell: (one) => one.settled_at },
  { title: "RECEIPT", cell: (one) => one.receipt ?? one.message },
];

/** What becomes of a task's sinks, for people; nothing where it has none. Pure. */
export function sinksText(sinks: readonly SinkView[]): string {
  return sinks.length === 0 ? "" : `\n${table(columns, sinks)}`;
}
