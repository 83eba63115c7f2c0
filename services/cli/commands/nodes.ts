import type { Node } from "../../../schemas/api/node.ts";
import { type CliContext, connect } from "../context.ts";
import { exitCodes } from "../exitCode.ts";
import type { Format } from "../output/render.ts";
import type { Column } from "../output/table.ts";
import { allPages } from "./allPages.ts";
import { printPage } from "./printPage.ts";

const columns: readonly Column<Node>[] = [
  { title: "NAME", cell: (node) => node.name },
  {
    title: "STATUS",
    cell: (node) => (node.state === "active" ? node.status : `${node.status}, ${node.state}`),
  },
  { title: "RUNTIME", cell: (node) => node.runtime },
  { title: "RUNNING", cell: (node) => `${node.running}/${node.slots}` },
  { title: "CPUS", cell: (node) => `${node.declared.cpus}/${node.offered.cpus}` },
  {
    title: "MEMORY",
    cell: (node) => `${gib(node.declared.memory_bytes)}/${gib(node.offered.memory_bytes)} GiB`,
  },
  { title: "TAGS", cell: (node) => node.tags.join(",") },
  {
    title: "LABELS",
    cell: (node) =>
      Object.entries(node.labels)
        .map(([k, v]) => `${k}=${v}`)
        .join(","),
  },
  { title: "LAST SEEN", cell: (node) => node.last_seen_at },
  { title: "UNAVAILABLE", cell: (node) => node.unavailable },
  { title: "NOT DECLARED", cell: (node) => node.clipped.join("; ") },
];

function gib(bytes: number): string {
  return (bytes / 1024 ** 3).toFixed(1);
}

/** Prints the machines that run attempts. */
export async function nodes(
  context: CliContext,
  options: { readonly limit: number; readonly cursor?: string; readonly output: Format },
): Promise<number> {
  const client = connect(context);
  const page = await allPages(options.limit, options.cursor, (part) => client.listNodes(part));
  await printPage(context.output, options.output, { page, columns });
  return exitCodes.ok;
}
