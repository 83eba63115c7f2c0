import type { Page } from "../../../schemas/api/page.ts";
import type { Output } from "../output/output.ts";
import { type Format, render } from "../output/render.ts";
import { type Column, table } from "../output/table.ts";

/** Prints a list, and on stderr how to go on where there is more. */
export async function printPage<T>(
  output: Output,
  format: Format,
  of: { readonly page: Page<T>; readonly columns: readonly Column<T>[] },
): Promise<void> {
  const { page, columns } = of;
  await output.data(
    await render(format, { value: page, items: page.data, table: () => table(columns, page.data) }),
  );
  if (page.next_cursor === null || format === "json" || format === "yaml") return;
  await output.message(`there is more: repeat with --cursor ${page.next_cursor}, or with a higher --limit`);
}
