import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { NatsConnection } from "nats";
import { announce, documentOf, ensureExports } from "../../../deploy/accounts/announce.ts";
import { makeNodeAccount, makeRevocation } from "../../../deploy/accounts/nodeAccount.ts";
import type { Node } from "../../../schemas/api/node.ts";
import { Rejection } from "../../kernel/errors.ts";
import { type CliContext, connect } from "../context.ts";
import { exitCodes } from "../exitCode.ts";
import { type NodeKeys, nodeKeys } from "../nodeKeys.ts";
import { type BoundsOptions, boundsOf } from "./nodeBounds.ts";
import { findNode } from "./nodeState.ts";
import { withSystem } from "./withSystem.ts";

export interface AddOptions extends BoundsOptions {
  /** Where the credentials are written. */
  readonly creds?: string;
  /** A new account in place of the one there is. */
  readonly renew?: boolean;
}

/**
 * Makes a standalone node: its NATS account, its credentials, and what it may register.
 *
 * The credentials are written before the account is known anywhere, and the account is announced last: whatever dies in
 * between, the same command again makes another account, and the first never worked.
 */
export async function nodeAdd(context: CliContext, name: string, options: AddOptions): Promise<number> {
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
    await context.output.message(
      `node ${name} is declared. Carry ${file} to its machine (it is the only copy) and run there:`,
    );
    await context.output.data(
      `NATS_URL=${keys.publicUrl ?? keys.url} NATS_CREDS=${name}.creds cazi serve node\n`,
    );
    if (keys.publicUrl === null)
      await context.output.message(
        "NATS listens on this machine alone; CAZI_NATS_LISTEN lets other machines in",
      );
    return exitCodes.ok;
  });
}

/** Declared, and its account announced: else an earlier try broke off in between. */
async function isThere(system: NatsConnection, before: Node | null): Promise<boolean> {
  return before !== null && before.account !== null && (await documentOf(system, before.account)) !== null;
}

async function make(
  context: CliContext,
  of: { name: string; options: AddOptions; keys: NodeKeys; system: NatsConnection; before: Node | null },
): Promise<string> {
  const { name, options, keys, system, before } = of;
  const { config } = context.settings();
  const made = await makeNodeAccount({ node: name, ...keys });
  const bounds = boundsOf(options, before?.bounds ?? null, config.tenant);
  const file =
    options.creds === undefined ? join(config.home, "nodes", `${name}.creds`) : resolve(options.creds);
  writeCreds(file, made.creds, options.creds !== undefined);
  await connect(context).declareNode(name, { ...bounds, account: made.account });
  await announce(system, made.document);
  if (before?.account != null) {
    const nowSeconds = Math.floor(context.clock.now() / 1000);
    const { operatorSeed } = keys;
    await announce(
      system,
      await makeRevocation({ node: name, account: before.account, operatorSeed, nowSeconds }),
    );
  }
  return file;
}

function writeCreds(file: string, creds: Uint8Array, isNamed: boolean): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  try {
    // What an earlier try left at our own place never worked, or was replaced; a file that was named may be anything.
    writeFileSync(file, creds, { mode: 0o600, flag: isNamed ? "wx" : "w" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    throw new Rejection("NODE_CREDS_EXIST", `${file} is there already`, {
      hint: "Name another file with --creds, or move that one away.",
    });
  }
}
