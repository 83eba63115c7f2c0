import { Rejection } from "../../kernel/errors.ts";
import { type DurableReader, durableReaders, forgetReader } from "../../kernel/ledger/readers.ts";
import type { CliContext } from "../context.ts";
import { exitCodes } from "../exitCode.ts";
import { withLedgerStores } from "../ledgerStores.ts";
import { type Format, render } from "../output/render.ts";

/**
 * Has erasure no longer wait for a reader. When it speaks again it is waited for again; what was erased meanwhile it
 * finds gone, and learns of by the tombstones.
 * @throws Rejection `READER_UNKNOWN`; as `withLedgerStores`
 */
export async function ledgerForget(
  context: CliContext,
  reader: string,
  options: { readonly output: Format },
): Promise<number> {
  if (!isReader(reader)) {
    throw new Rejection(
      "READER_UNKNOWN",
      `${JSON.stringify(reader.slice(0, 80))} is no reader of the ledger`,
      {
        hint: `Readers that erasure waits for are ${durableReaders.join(" and ")}.`,
      },
    );
  }
  const before = await withLedgerStores(context, async ({ nats, shard }) =>
    forgetReader(await nats.js.views.kv("cursors"), shard, reader),
  );
  const value = { reader, seq: before?.seq ?? null, last_heard_at: before?.at ?? null };
  const heard =
    before === null ? "it was never heard of" : `last heard at ${new Date(before.at).toISOString()}`;
  const forPeople = () =>
    `erasure waits for the ${reader} no longer (${heard}); it does again once it speaks\n`;
  await context.output.data(await render(options.output, { value, items: [value], table: forPeople }));
  return exitCodes.ok;
}

function isReader(name: string): name is DurableReader {
  return (durableReaders as readonly string[]).includes(name);
}
