import { setTimeout as pause } from "node:timers/promises";
import { announce } from "../../../deploy/accounts/announce.ts";
import { nodeAccountName } from "../../../deploy/accounts/nodeAccount.ts";
import { makeRevocation } from "../../../deploy/accounts/outsideAccount.ts";
import type { Node } from "../../../schemas/api/node.ts";
import type { ApiClient } from "../../kernel/client/apiClient.ts";
import { CaziError, Rejection } from "../../kernel/errors.ts";
import { type CliContext, connect } from "../context.ts";
import { exitCodes } from "../exitCode.ts";
import { nodeKeys } from "../nodeKeys.ts";
import { type BoundsOptions, boundsOf } from "./nodeBounds.ts";
import { withSystem } from "./withSystem.ts";
import { removeVoidCreds } from "./writeCreds.ts";

const POLL_MS = 500;

/** The node, or null where there is none of this name. */
export async function findNode(client: ApiClient, name: string): Promise<Node | null> {
  try {
    return await client.getNode(name);
  } catch (error) {
    if (error instanceof CaziError && error.code === "NODE_NOT_FOUND") return null;
    throw error;
  }
}

/** Changes what a node may register. It counts at once. */
export async function nodeSet(context: CliContext, name: string, options: BoundsOptions): Promise<number> {
  const client = connect(context);
  const { bounds } = await client.getNode(name);
  if (bounds === null) {
    throw new Rejection(
      "NODE_NOT_STANDALONE",
      `node ${name} lives in the services' own account; nothing bounds it`,
      {
        hint: "What it offers is set where it runs: CAZI_NODE_SLOTS and the like.",
      },
    );
  }
  const changed = boundsOf(options, bounds, context.settings().config.tenant);
  const { clipped } = await client.declareNode(name, { ...changed, account: null });
  await context.output.message(`node ${name} is declared anew`);
  if (clipped.length > 0) await context.output.message(`it offers more: ${clipped.join("; ")}`);
  return exitCodes.ok;
}

/** New attempts go elsewhere from now on, or may come again. */
export async function nodeCordon(
  context: CliContext,
  name: string,
  state: "active" | "cordoned",
): Promise<number> {
  const { running } = await connect(context).setNodeState(name, state);
  await context.output.message(
    state === "active"
      ? `node ${name} takes work`
      : `node ${name} takes no new work; ${running} attempts go on`,
  );
  return exitCodes.ok;
}

/** As cordon; with `wait` it ends when nothing is on the node any more. */
export async function nodeDrain(
  context: CliContext,
  name: string,
  options: { readonly wait?: boolean; readonly timeout?: number },
): Promise<number> {
  const client = connect(context);
  const deadline = context.clock.monotonicMs() + (options.timeout ?? Number.POSITIVE_INFINITY) * 1000;
  let { running } = await client.setNodeState(name, "draining");
  await context.output.message(`node ${name} takes no new work; ${running} attempts go on to their end`);
  if (!options.wait) return exitCodes.ok;
  while (running > 0) {
    if (context.clock.monotonicMs() > deadline) {
      throw new Rejection("TIMED_OUT", `${running} attempts are still on node ${name}`, {
        hint: "It stays draining: run the command again to wait on.",
      });
    }
    await pause(POLL_MS);
    ({ running } = await client.getNode(name));
  }
  await context.output.message(`nothing is on node ${name} any more`);
  return exitCodes.ok;
}

/** Takes the name out of the fleet, then cuts its connection off for good. Doing it again finishes what broke off. */
export async function nodeRemove(
  context: CliContext,
  name: string,
  options: { readonly force?: boolean },
): Promise<number> {
  const { config } = context.settings();
  const client = connect(context);
  const before = await findNode(client, name);
  if (before?.account != null) nodeKeys(config);
  const { account } = await client.removeNode(name, { force: options.force === true });
  if (account !== null) {
    const keys = nodeKeys(config);
    const nowSeconds = Math.floor(context.clock.now() / 1000);
    const revocation = await makeRevocation({
      name: nodeAccountName(name),
      account,
      nowSeconds,
      operatorSeed: keys.operatorSeed,
    });
    await withSystem(config, keys, (system) => announce(system, revocation));
  }
  if (account !== null) removeVoidCreds(config.home, { node: name, account });
  await context.output.message(
    account === null
      ? `node ${name} is removed`
      : `node ${name} is removed and its credentials are void: end its agent, and remove the copy of them on its machine`,
  );
  return exitCodes.ok;
}
