import type { ArtifactView } from "../../../schemas/api/artifact.ts";
import { type CliContext, connect } from "../context.ts";
import { exitCodes } from "../exitCode.ts";
import type { Format } from "../output/render.ts";
import type { Column } from "../output/table.ts";
import { printPage } from "./printPage.ts";

const columns: readonly Column<ArtifactView>[] = [
  { title: "NAME", cell: (file) => file.name },
  { title: "BYTES", cell: (file) => String(file.bytes) },
  { title: "TYPE", cell: (file) => file.media_type },
  { title: "ATTEMPT", cell: (file) => String(file.attempt) },
  { title: "EXPIRES", cell: (file) => file.expires_at },
  { title: "SHA-256", cell: (file) => file.sha256 },
];

/** Prints the files that a task published. */
export async function artifacts(
  context: CliContext,
  id: string,
  options: { readonly output: Format },
): Promise<number> {
  const { data } = await connect(context).listArtifacts(id);
  await printPage(context.output, options.output, { page: { data, next_cursor: null }, columns });
  return exitCodes.ok;
}
