import { listConflicts } from "../../repair/listConflicts.ts";
import type { CliContext } from "../context.ts";
import { exitCodes } from "../exitCode.ts";
import { withLedgerStores } from "../ledgerStores.ts";
import { type Format, render } from "../output/render.ts";
import { table } from "../output/table.ts";

/** Lists what neither the ledger nor the read models tell of. */
export async function ledgerConflicts(
  context: CliContext,
  options: { readonly limit: number; readonly output: Format },
): Promise<number> {
  const found = await withLedgerStores(context, ({ pool, shard }) =>
    listConflicts(pool, shard, options.limit),
  );
  const forPeople = () =>
    table(
      [
        { title: "SEQUENCE", cell: (one) => one.seq },
        { title: "WHY", cell: (one) => one.why },
        { title: "SUBJECT", cell: (one) => one.subject },
        { title: "EVENT", cell: (one) => one.event_id },
        { title: "REPAIR", cell: (one) => one.repair },
      ],
      found,
    );
  await context.output.data(await render(options.output, { value: found, items: found, table: forPeople }));
  return exitCodes.ok;
}
