import { join, resolve } from "node:path";
import type { NatsConnection } from "nats";
import { announce, documentOf, ensureExports } from "../../../deploy/accounts/announce.ts";
import { isRevoked, makeRevocation } from "../../../deploy/accounts/outsideAccount.ts";
import { makeSubscriberAccount, subscriberAccountName } from "../../../deploy/accounts/subscriberAccount.ts";
import type { Subscriber } from "../../../schemas/api/subscriber.ts";
import { subscriberDurable } from "../../../streams/subjects.ts";
import type { ApiClient } from "../../kernel/client/apiClient.ts";
import type { SubscriberName } from "../../kernel/client/subscribersClient.ts";
import { CaziError } from "../../kernel/errors.ts";
import { type CliContext, connect } from "../context.ts";
import { exitCodes } from "../exitCode.ts";
import { type NodeKeys, nodeKeys } from "../nodeKeys.ts";
import type { Format } from "../output/render.ts";
import type { Column } from "../output/table.ts";
import { printPage } from "./printPage.ts";
import { withSystem } from "./withSystem.ts";
import { writeCreds } from "./writeCreds.ts";

interface OfTenant {
  readonly tenant?: string;
}

interface AddOptions extends OfTenant {
  /** Where the credentials are written. */
  readonly creds?: string;
  /** A new account in place of the one there is. */
  readonly renew?: boolean;
}

const columns: readonly Column<Subscriber>[] = [
  { title: "NAME", cell: (one) => one.name },
  { title: "STATE", cell: (one) => one.state },
  { title: "CONSUMER", cell: (one) => one.consumer },
  { title: "WAITING", cell: (one) => one.waiting },
  { title: "UNACKNOWLEDGED", cell: (one) => one.unacknowledged },
  { title: "CREATED", cell: (one) => one.created_at },
  { title: "BY", cell: (one) => one.changed_by },
];

/** Prints a tenant's subscribers, and how far each is behind the feed. */
export async function subscriberList(
  context: CliContext,
  options: OfTenant & { readonly output: Format },
): Promise<number> {
  const client = connect(context);
  const { data } = await client.listSubscribers(await tenantOf(client, options));
  await printPage(context.output, options.output, { page: { data, next_cursor: null }, columns });
  return exitCodes.ok;
}

/**
 * Makes an outside subscriber: its NATS account, its credentials, and its consumer of the tenant's feed.
 *
 * An account that is replaced is void before the new one is named anywhere, and the new one is announced last: whatever
 * dies in between, no account is in force that the entry does not name, and the same command again makes another.
 */
export async function subscriberAdd(context: CliContext, name: string, options: AddOptions): Promise<number> {
  const { config } = context.settings();
  const keys = nodeKeys(config);
  const client = connect(context);
  const of = { tenant: await tenantOf(client, options), name };
  const before = await findSubscriber(client, of);
  return withSystem(config, keys, async (system) => {
    await ensureExports(system, keys);
    if (!options.renew && before?.state === "active" && (await isInForce(system, before.account))) {
      await context.output.message(
        `subscriber ${name} is there already, and its credentials were written once; ` +
          "`cazi subscriber add --renew` makes new ones and ends the old",
      );
      return exitCodes.ok;
    }
    const made = await makeSubscriberAccount({ consumer: subscriberDurable(of), ...keys });
    const own = join(config.home, "subscribers", `${of.tenant}.${name}.creds`);
    const file = options.creds === undefined ? own : resolve(options.creds);
    writeCreds(file, made.creds, options.creds !== undefined);
    if (before !== null) await revoke(context, { system, keys, of, account: before.account });
    const { stream, consumer } = await client.putSubscriber(of, {
      account: made.account,
      replaces: before?.account ?? null,
    });
    await announce(system, made.document);
    await context.output.message(
      `subscriber ${name} reads the feed of tenant ${of.tenant}. Carry ${file} to its machine (it is the only copy); ` +
        `it fetches from the consumer ${consumer} of ${stream}, under the prefix JS.cazi.API, as ` +
        "deploy/examples/subscribers/node-subscriber.mjs does:",
    );
    const at = keys.publicUrl ?? keys.url;
    await context.output.data(`NATS_URL=${at} NATS_CREDS=${name}.creds CAZI_CONSUMER=${consumer}\n`);
    return exitCodes.ok;
  });
}

/** Voids its credentials, then takes it and its place in the feed away. Doing it again finishes what broke off. */
export async function subscriberRemove(
  context: CliContext,
  name: string,
  options: OfTenant,
): Promise<number> {
  const { config } = context.settings();
  const keys = nodeKeys(config);
  const client = connect(context);
  const of = { tenant: await tenantOf(client, options), name };
  const { account } = await client.getSubscriber(of);
  await withSystem(config, keys, (system) => revoke(context, { system, keys, of, account }));
  await client.removeSubscriber(of);
  await context.output.message(`subscriber ${name} is removed and its credentials are void`);
  return exitCodes.ok;
}

async function tenantOf(client: ApiClient, { tenant }: OfTenant): Promise<string> {
  return tenant ?? (await client.me()).tenant;
}

/** Announced and not void: else an earlier try broke off in between. */
async function isInForce(system: NatsConnection, account: string): Promise<boolean> {
  const document = await documentOf(system, account);
  return document !== null && !(await isRevoked(document));
}

async function findSubscriber(client: ApiClient, of: SubscriberName): Promise<Subscriber | null> {
  try {
    return await client.getSubscriber(of);
  } catch (error) {
    if (error instanceof CaziError && error.code === "SUBSCRIBER_NOT_FOUND") return null;
    throw error;
  }
}

async function revoke(
  context: CliContext,
  of: { system: NatsConnection; keys: NodeKeys; of: SubscriberName; account: string },
): Promise<void> {
  const revocation = await makeRevocation({
    name: subscriberAccountName(subscriberDurable(of.of)),
    account: of.account,
    operatorSeed: of.keys.operatorSeed,
    nowSeconds: Math.floor(context.clock.now() / 1000),
  });
  await announce(of.system, revocation);
}
