import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { natsIdentities } from "../../../deploy/embedded/natsIdentities.ts";
import { operatorMode } from "../../../deploy/embedded/startNats.ts";
import { writeFileWhole } from "../../../deploy/embedded/writeFileWhole.ts";
import { Rejection } from "../../kernel/errors.ts";
import type { CliContext } from "../context.ts";
import { exitCodes } from "../exitCode.ts";

/** Where a server of a fleet keeps the accounts that it is told of at run time. */
const ACCOUNTS_FOLDER = "/data/accounts";

/**
 * Makes the keys and documents that NATS servers of one's own and Cazi's roles need, in a folder. Once made they are kept:
 * a second call changes nothing but what a newer version of Cazi declares.
 * @throws Rejection `FILE_EXISTS`
 */
export async function natsInit(context: CliContext, folder: string): Promise<number> {
  const root = resolve(folder);
  refuseOthers(root);
  const identities = await natsIdentities(join(root, "keys"));
  // JSON is a subset of the server's configuration; without its braces it can be included among other settings.
  const settings = JSON.stringify(operatorMode(identities, ACCOUNTS_FOLDER), null, 2).slice(2, -2);
  writeFileWhole(join(root, "accounts.conf"), `${settings}\n`);
  await context.output.data(
    [
      `${root}/accounts.conf          include it in the configuration of each NATS server`,
      `${identities.credsFile}    NATS_CREDS of every role`,
      `${identities.systemCredsFile}      CAZI_NATS_SYSTEM_CREDS, for cazi node`,
      `${root}/keys/operator.nk       CAZI_NATS_OPERATOR_SEED_FILE, for cazi node: keep it offline`,
      `${identities.subscriberCredsFile}       for a subscriber of the default tenant's feed`,
      "",
    ].join("\n"),
  );
  return exitCodes.ok;
}

/** Where no key of ours is, what has the name of a file of ours is somebody else's. */
function refuseOthers(root: string): void {
  if (existsSync(join(root, "keys", "operator.nk"))) return;
  const there = ["accounts.conf", "subscriber.creds"].find((name) => existsSync(join(root, name)));
  if (there === undefined) return;
  throw new Rejection("FILE_EXISTS", `${join(root, there)} is there already and is left as it is.`, {
    hint: "Name a folder of its own.",
    fields: { status: 409 },
  });
}
