import type { Tenant, TenantLimits, Token, User } from "../../../schemas/api/people.ts";
import type { TenantChange, UserChange } from "../../kernel/client/peopleClient.ts";
import { Rejection } from "../../kernel/errors.ts";
import { type CliContext, connect } from "../context.ts";
import { exitCodes } from "../exitCode.ts";
import { type Format, render } from "../output/render.ts";
import { type Column, fields } from "../output/table.ts";
import { timeAhead } from "../timeOf.ts";
import { allPages } from "./allPages.ts";
import { printPage } from "./printPage.ts";

interface ListOptions {
  readonly limit: number;
  readonly cursor?: string;
  readonly output: Format;
  readonly tenant?: string;
}

/** `default`: the installation's again. */
type Limit = number | "default";

interface TenantOptions {
  readonly displayName?: string;
  readonly pendingMax?: Limit;
  readonly submitsPerMinute?: Limit;
  readonly followsMax?: Limit;
  readonly storedBytesMax?: Limit;
}

interface Restoring {
  readonly restore?: boolean;
}

interface UserOptions {
  readonly tenant?: string;
  readonly role?: User["role"];
  readonly displayName?: string;
  readonly login?: string;
}

export async function whoami(context: CliContext, options: { readonly output: Format }): Promise<number> {
  const me = await connect(context).me();
  const table = () =>
    fields([
      ["tenant", me.tenant],
      ["actor", me.actor],
      ["accountable", me.accountable],
      ["role", me.role],
      ["administers", me.installation_admin ? "the installation" : null],
      ["token", me.token === null ? "a sign-in" : `${me.token.id} ${me.token.name}`],
      ["expires", me.token?.expires_at],
    ]);
  await context.output.data(await render(options.output, { value: me, table }));
  return exitCodes.ok;
}

export async function tenantAdd(context: CliContext, name: string, options: TenantOptions): Promise<number> {
  const made = await connect(context).createTenant(name, tenantChange(options));
  await context.output.message(
    `tenant ${made.name} is there: give it an admin with \`cazi user add --tenant ${made.name}\``,
  );
  return exitCodes.ok;
}

export async function tenantSet(
  context: CliContext,
  name: string,
  options: TenantOptions & Restoring,
): Promise<number> {
  const { limits_in_force } = await connect(context).changeTenant(name, {
    ...tenantChange(options),
    ...back(options),
  });
  await context.output.message(`limits of ${name} in force: ${limitsText(limits_in_force)}`);
  return exitCodes.ok;
}

export async function tenantRemove(context: CliContext, name: string): Promise<number> {
  await connect(context).removeTenant(name);
  await context.output.message(
    `tenant ${name} is removed: its tokens and sign-ins are worth nothing any more`,
  );
  return exitCodes.ok;
}

export async function tenantList(context: CliContext, options: ListOptions): Promise<number> {
  const client = connect(context);
  const page = await allPages(options.limit, options.cursor, (part) => client.listTenants(part));
  await printPage(context.output, options.output, { page, columns: tenantColumns });
  return exitCodes.ok;
}

export async function userAdd(context: CliContext, name: string, options: UserOptions): Promise<number> {
  const user = await connect(context).createUser(name, userChange(options), { tenant: options.tenant });
  await context.output.message(`user ${user.name} of ${user.tenant} is there, with the role ${user.role}`);
  return exitCodes.ok;
}

export async function userSet(
  context: CliContext,
  name: string,
  options: UserOptions & Restoring,
): Promise<number> {
  const change = { ...userChange(options), ...back(options) };
  const user = await connect(context).changeUser(name, change, { tenant: options.tenant });
  await context.output.message(`user ${user.name} of ${user.tenant} has the role ${user.role}`);
  return exitCodes.ok;
}

export async function userRemove(
  context: CliContext,
  name: string,
  { tenant }: { readonly tenant?: string },
): Promise<number> {
  const user = await connect(context).removeUser(name, { tenant });
  await context.output.message(`user ${user.name} of ${user.tenant} is removed, and all tokens with it`);
  return exitCodes.ok;
}

export async function userList(context: CliContext, options: ListOptions): Promise<number> {
  const client = connect(context);
  const { tenant } = options;
  const page = await allPages(options.limit, options.cursor, (part) => client.listUsers({ ...part, tenant }));
  await printPage(context.output, options.output, { page, columns: userColumns });
  return exitCodes.ok;
}

/** Prints the token alone on standard output, so that it can be put where it belongs; the rest is a message. */
export async function tokenCreate(
  context: CliContext,
  name: string,
  options: {
    readonly for: string;
    readonly agent?: string;
    readonly automation?: string;
    readonly role?: User["role"];
    readonly expires?: string;
    readonly tenant?: string;
    readonly output?: "json";
  },
): Promise<number> {
  const { agent, automation, role, expires, tenant } = options;
  const kind = agent !== undefined ? "agent" : automation !== undefined ? "automation" : "person";
  const expires_at = expires === undefined ? null : timeAhead(expires, context.clock.now());
  const acts_as = agent ?? automation ?? null;
  const wanted = { name, acts_for: options.for, kind, acts_as, role, expires_at } as const;
  const made = await connect(context).createToken(wanted, { tenant });
  if (made.token === null) {
    throw new Rejection(
      "TOKEN_SHOWN_ALREADY",
      `an earlier try made the token ${made.id}, and its answer was lost`,
      {
        hint: `Revoke it with \`cazi token revoke ${made.id}\` and make another one.`,
      },
    );
  }
  const end = made.expires_at === null ? "until it is revoked" : `until ${made.expires_at}`;
  await context.output.message(
    `token ${made.id} of ${made.acts_for}, role ${made.role}, ${end}; it is not shown again`,
  );
  await context.output.data(options.output === "json" ? `${JSON.stringify(made)}\n` : `${made.token}\n`);
  return exitCodes.ok;
}

export async function tokenRevoke(
  context: CliContext,
  id: string,
  { tenant }: { readonly tenant?: string },
): Promise<number> {
  const { revoked_at, revoked_by } = await connect(context).revokeToken(id, { tenant });
  await context.output.message(`token ${id} is revoked since ${revoked_at}, by ${revoked_by}`);
  return exitCodes.ok;
}

export async function tokenList(context: CliContext, options: ListOptions): Promise<number> {
  const client = connect(context);
  const { tenant } = options;
  const page = await allPages(options.limit, options.cursor, (part) =>
    client.listTokens({ ...part, tenant }),
  );
  await printPage(context.output, options.output, { page, columns: tokenColumns });
  return exitCodes.ok;
}

const tenantColumns: readonly Column<Tenant>[] = [
  { title: "NAME", cell: (one) => one.name },
  { title: "PENDING", cell: (one) => limitText(one.limits_in_force.pending_max) },
  { title: "SUBMITS/MIN", cell: (one) => limitText(one.limits_in_force.submits_per_minute) },
  { title: "FOLLOWS", cell: (one) => limitText(one.limits_in_force.follows_max) },
  { title: "BYTES", cell: (one) => limitText(one.limits_in_force.stored_bytes_max) },
  { title: "CREATED", cell: (one) => one.created_at },
  { title: "REMOVED", cell: (one) => one.removed_at },
];

const userColumns: readonly Column<User>[] = [
  { title: "NAME", cell: (one) => one.name },
  { title: "ROLE", cell: (one) => one.role },
  { title: "LOGIN", cell: (one) => one.login },
  { title: "DISPLAY NAME", cell: (one) => one.display_name },
  { title: "CREATED", cell: (one) => one.created_at },
  { title: "REMOVED", cell: (one) => one.removed_at },
];

const tokenColumns: readonly Column<Token>[] = [
  { title: "ID", cell: (one) => one.id },
  { title: "NAME", cell: (one) => one.name },
  { title: "FOR", cell: (one) => one.acts_for },
  { title: "AS", cell: (one) => (one.acts_as === null ? null : `${one.kind} ${one.acts_as}`) },
  { title: "ROLE", cell: (one) => one.role },
  { title: "LAST USED", cell: (one) => one.last_used_at },
  { title: "EXPIRES", cell: (one) => one.expires_at },
  { title: "REVOKED", cell: (one) => one.revoked_at },
];

function limitText(limit: number | undefined): string {
  return limit === undefined || limit === 0 ? "none" : String(limit);
}

function limitsText(limits: Tenant["limits_in_force"]): string {
  return Object.entries(limits)
    .map(([name, limit]) => `${name} ${limitText(limit)}`)
    .join(", ");
}

function setLimit(limit: Limit | undefined): number | null | undefined {
  return limit === "default" ? null : limit;
}

function back({ restore }: Restoring): { readonly removed?: false } {
  return restore === true ? { removed: false } : {};
}

function tenantChange(options: TenantOptions): Omit<TenantChange, "removed"> {
  const limits: { readonly [K in keyof TenantLimits]: number | null | undefined } = {
    pending_max: setLimit(options.pendingMax),
    submits_per_minute: setLimit(options.submitsPerMinute),
    follows_max: setLimit(options.followsMax),
    stored_bytes_max: setLimit(options.storedBytesMax),
  };
  return { display_name: options.displayName, limits };
}

function userChange({ role, displayName, login }: UserOptions): Omit<UserChange, "removed"> {
  return { role, display_name: displayName, login };
}
