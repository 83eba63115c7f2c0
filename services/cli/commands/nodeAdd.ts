import { basename, resolve } from "node:path";
import type { NatsConnection } from "nats";
import { announce, documentOf, ensureExports } from "../../../deploy/accounts/announce.ts";
import { makeNodeAccount, nodeAccountName } from "../../../deploy/accounts/nodeAccount.ts";
import { isRevoked, makeRevocation } from "../../../deploy/accounts/outsideAccount.ts";
import { type Node, nodeParams } from "../../../schemas/api/node.ts";
import { Rejection } from "../../kernel/errors.ts";
import { type CliContext, connect } from "../context.ts";
import { exitCodes } from "../exitCode.ts";
import { type NodeKeys, nodeKeys } from "../nodeKeys.ts";
import { type BoundsOptions, boundsOf } from "./nodeBounds.ts";
import { findNode } from "./nodeState.ts";
import { withSystem } from "./withSystem.ts";
import { nodeCredsFile, writeCreds } from "./writeCreds.ts";

export interface AddOptions extends BoundsOptions {
  /** Where the credentials are written. */
  readonly creds?: string;
  /** A new account in place of the one there is. */
  readonly renew?: boolean;
}

/**
 * Makes a standalone node: its NATS account, its credentials, and what it may register.
 *
 * The credentials are written before the account is known anywhere, an account that is replaced is void before the new one
 * is declared, and the new one is announced last: whatever dies in between, no account is in force that the fleet does not
 * name, and the same command again makes another.
 */
export async function nodeAdd(context: CliContext, name: string, options: AddOptions): Promise<number> {
  if (!nodeParams.safeParse({ name }).success) {
    throw new Rejection("USAGE", `${name} is no name of a node`, {
      hint: "A name has 1 to 63 of a-z 0-9 _ - and begins with a letter or a digit.",
    });
  }
  const { config } = context.settings();
  const keys = nodeKeys(config);
  const before = await findNode(connect(context), name);
  return withSystem(config, keys, async (system) => {
    await ensureExports(system, keys);
    if (!options.renew && (await isThere(system, before))) {
      await context.output.message(
        `node ${name} is there already, and its credentials were written once; \`cazi node set\` changes what it may ` +
          "register, `cazi node add --renew` makes new credentials and ends the old",
      );
      return exitCodes.ok;
    }
    const file = await make(context, { name, options, keys, system, before });
    // Whoever had to say here who signs the server's certificate has to say it there.
    const { natsCa } = config;
    const [andCa, ca] = natsCa === "" ? ["", ""] : [` and ${natsCa}`, `NATS_CA=${basename(natsCa)} `];
    await context.output.message(
      `node ${name} is declared. Carry ${file} (it is the only copy)${andCa} to its machine and run there:`,
    );
    await context.output.data(
      `NATS_URL=${keys.publicUrl ?? keys.url} ${ca}NATS_CREDS=${name}.creds cazi serve node\n`,
    );
    if (keys.publicUrl === null)
      await context.output.message(
        "NATS listens on this machine alone; CAZI_NATS_LISTEN lets other machines in",
      );
    return exitCodes.ok;
  });
}

/** Declared, and its account announced and not void: else an earlier try broke off in between. */
async function isThere(system: NatsConnection, before: Node | null): Promise<boolean> {
  if (before === null || before.account === null) return false;
  const document = await documentOf(system, before.account);
  return document !== null && !(await isRevoked(document));
}

async function make(
  context: CliContext,
  of: { name: string; options: AddOptions; keys: NodeKeys; system: NatsConnection; before: Node | null },
): Promise<string> {
  const { name, options, keys, system, before } = of;
  const { config } = context.settings();
  const made = await makeNodeAccount({ node: name, ...keys });
  const bounds = boundsOf(options, before?.bounds ?? null, config.tenant);
  const file = options.creds === undefined ? nodeCredsFile(config.home, name) : resolve(options.creds);
  writeCreds(file, made.creds, options.creds !== undefined);
  if (before?.account != null) {
    const { operatorSeed } = keys;
    const nowSeconds = Math.floor(context.clock.now() / 1000);
    const of = { name: nodeAccountName(name), account: before.account };
    await announce(system, await makeRevocation({ ...of, operatorSeed, nowSeconds }));
  }
  await connect(context).declareNode(name, { ...bounds, account: made.account });
  await announce(system, made.document);
  return file;
}
