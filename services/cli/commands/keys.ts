import type { SigningKey, SigningKeyList } from "../../../schemas/api/signingKey.ts";
import { type CliContext, connect } from "../context.ts";
import { exitCodes } from "../exitCode.ts";
import type { Format } from "../output/render.ts";
import type { Column } from "../output/table.ts";
import { printPage } from "./printPage.ts";

const columns: readonly Column<SigningKey>[] = [
  { title: "KEY", cell: (key) => key.kid },
  { title: "STATE", cell: (key) => key.state },
  { title: "SIGNS FROM", cell: (key) => key.signs_from },
  { title: "UNTIL", cell: (key) => key.until },
  { title: "REVOKED", cell: (key) => key.revoked_at },
];

export async function keysList(context: CliContext, options: { readonly output: Format }): Promise<number> {
  return print(context, options, await connect(context).listKeys());
}

/** Replaces the key that signs now: repeated after an answer that was lost, it is one rotation. */
export async function keysRotate(
  context: CliContext,
  options: { readonly now?: true; readonly output: Format },
): Promise<number> {
  const client = connect(context);
  const { data } = await client.listKeys();
  const replaces = data.find(({ state }) => state === "active")?.kid ?? null;
  return print(context, options, await client.rotateKeys({ now: options.now === true, replaces }));
}

/** Takes a key away that others may have. Repeated, it changes nothing. */
export async function keysRevoke(
  context: CliContext,
  kid: string,
  options: { readonly output: Format },
): Promise<number> {
  const after = await connect(context).revokeKey(kid);
  await context.output.message(
    `key ${kid} is revoked: what it signed is refused here at once, and elsewhere when verifiers have read the keys again ` +
      "(docs/runbooks/leaked-key.md)",
  );
  return print(context, options, after);
}

async function print(
  context: CliContext,
  options: { readonly output: Format },
  { data }: SigningKeyList,
): Promise<number> {
  await printPage(context.output, options.output, { page: { data, next_cursor: null }, columns });
  return exitCodes.ok;
}
