/** The tables of tenants, users and tokens. */
import type { DatabasePool } from "../../kernel/postgres/openPool.ts";
import { inTenant, type Queryable, queryInTenant } from "../../kernel/postgres/transaction.ts";
import type { Role } from "../ports.ts";
import type { PersonRecord } from "./records.ts";

interface CreatedRow {
  readonly created_at: number;
  readonly created_by: string;
  readonly creation: string;
  readonly request_hash: string;
  readonly version: number;
}

export interface TenantRow extends CreatedRow {
  readonly tenant: string;
  readonly display_name: string | null;
  readonly pending_max: number | null;
  readonly submits_per_minute: number | null;
  readonly follows_max: number | null;
  readonly stored_bytes_max: number | null;
  readonly removed_at: number | null;
}

export interface UserRow extends CreatedRow {
  readonly tenant: string;
  readonly name: string;
  readonly display_name: string | null;
  readonly role: Role;
  readonly login: string | null;
  readonly removed_at: number | null;
}

export interface TokenRow extends CreatedRow {
  readonly tenant: string;
  readonly id: string;
  readonly hash: Buffer;
  readonly name: string;
  readonly kind: "person" | "agent" | "automation" | "first";
  readonly acts_for: string;
  readonly acts_as: string | null;
  readonly role: Role;
  readonly expires_at: number | null;
  readonly revoked_at: number | null;
  readonly revoked_by: string | null;
  readonly last_used_at: number | null;
}

interface Rows {
  readonly tenants: TenantRow;
  readonly users: UserRow;
  readonly tokens: TokenRow;
}
export type PeopleTable = keyof Rows;

/** Its columns by name, each with a value. */
type Values = Readonly<Record<string, unknown>>;

/**
 * Inserts a row once: the same creation again gives the row that is there.
 * @returns the row as it is now and whether it was there, or null where another row is in the way
 */
export async function insertOnce<T extends PeopleTable>(
  client: Queryable,
  table: T,
  row: Values,
): Promise<{ readonly row: Rows[T]; readonly repeated: boolean } | null> {
  const names = Object.keys(row);
  const places = names.map((_, index) => `$${index + 1}`).join(", ");
  const inserted = await client.query<Rows[T]>(
    `INSERT INTO ${table} (${names.join(", ")}) VALUES (${places}) ON CONFLICT DO NOTHING RETURNING *`,
    Object.values(row),
  );
  if (inserted.rows[0] !== undefined) return { row: inserted.rows[0], repeated: false };
  const there = await findRow(client, table, { creation: row.creation });
  return there === null ? null : { row: there, repeated: true };
}

/** The row whose columns are these; null where there is none that the transaction may see. */
export async function findRow<T extends PeopleTable>(
  client: Queryable,
  table: T,
  where: Values,
): Promise<Rows[T] | null> {
  const conditions = Object.keys(where).map((name, index) => `${name} = $${index + 1}`);
  const { rows } = await client.query<Rows[T]>(
    `SELECT * FROM ${table} WHERE ${conditions.join(" AND ")}`,
    Object.values(where),
  );
  return rows[0] ?? null;
}

/** Sets columns of the row that is found by `where`, and gives it a new version. */
export async function updateRow<T extends PeopleTable>(
  client: Queryable,
  table: T,
  change: { readonly where: Values; readonly set: Values },
): Promise<Rows[T] | null> {
  const sets = Object.keys(change.set).map((name, index) => `${name} = $${index + 1}`);
  const first = sets.length + 1;
  const conditions = Object.keys(change.where).map((name, index) => `${name} = $${first + index}`);
  const { rows } = await client.query<Rows[T]>(
    `UPDATE ${table} SET ${[...sets, "version = nextval('people_version')"].join(", ")}
     WHERE ${conditions.join(" AND ")} RETURNING *`,
    [...Object.values(change.set), ...Object.values(change.where)],
  );
  return rows[0] ?? null;
}

/** Work in one tenant's rows. */
export function inPeople<T>(
  pool: DatabasePool,
  tenant: string,
  work: (client: Queryable) => Promise<T>,
): Promise<T> {
  return inTenant(pool, { role: "app", tenant }, work);
}

const everyone = { role: "people", tenant: null } as const;

/** Everybody of all tenants, as records. */
export async function readEveryone(pool: DatabasePool): Promise<readonly PersonRecord[]> {
  return await inTenant(pool, everyone, async (client) => {
    const tenants = (await client.query<TenantRow>("SELECT * FROM tenants")).rows;
    const users = (await client.query<UserRow>("SELECT * FROM users")).rows;
    const tokens = (await client.query<TokenRow>("SELECT * FROM tokens")).rows;
    return [...tenants.map(tenantRecordOf), ...users.map(userRecordOf), ...tokens.map(tokenRecordOf)];
  });
}

/** All tenants by name, after `after`. */
export function readTenants(
  pool: DatabasePool,
  page: { readonly after: string; readonly limit: number },
): Promise<readonly TenantRow[]> {
  const sql = "SELECT * FROM tenants WHERE tenant > $1 ORDER BY tenant LIMIT $2";
  return queryInTenant(pool, everyone, sql, [page.after, page.limit]);
}

/** The tenant that the installation is administered from is there from the first start on. */
export async function ensureHome(pool: DatabasePool, home: string, nowMs: number): Promise<void> {
  const sql = `INSERT INTO tenants (tenant, created_at, created_by, creation, request_hash)
    VALUES ($1, $2, 'service:control-plane', $3, '') ON CONFLICT DO NOTHING`;
  await queryInTenant(pool, everyone, sql, [home, nowMs, `home:${home}`]);
}

/** Writes what the bucket knew first: somebody revoked it while Postgres was away. */
export async function writeRevocation(
  pool: DatabasePool,
  of: { readonly tenant: string; readonly id: string; readonly at: number; readonly by: string | null },
): Promise<void> {
  const sql = `UPDATE tokens SET revoked_at = $3, revoked_by = $4, version = nextval('people_version')
    WHERE tenant = $1 AND id = $2 AND revoked_at IS NULL`;
  await queryInTenant(pool, everyone, sql, [of.tenant, of.id, of.at, of.by]);
}

/** When tokens were used last, all at once. */
export async function writeUses(
  pool: DatabasePool,
  uses: readonly { readonly tenant: string; readonly id: string; readonly at: number }[],
): Promise<void> {
  const sql = `UPDATE tokens AS one SET last_used_at = GREATEST(one.last_used_at, used.at)
    FROM unnest($1::text[], $2::text[], $3::bigint[]) AS used (tenant, id, at)
    WHERE one.tenant = used.tenant AND one.id = used.id`;
  const columns = [uses.map((one) => one.tenant), uses.map((one) => one.id), uses.map((one) => one.at)];
  await queryInTenant(pool, everyone, sql, columns);
}

export function tenantRecordOf(row: TenantRow): PersonRecord {
  const { tenant, pending_max, submits_per_minute, follows_max, stored_bytes_max, removed_at, version } = row;
  const limits = { pending_max, submits_per_minute, follows_max, stored_bytes_max };
  return { record: "tenant", tenant, ...limits, removed_at, version };
}

export function userRecordOf({ tenant, name, role, login, removed_at, version }: UserRow): PersonRecord {
  return { record: "user", tenant, name, role, login, removed_at, version };
}

export function tokenRecordOf(row: TokenRow): PersonRecord & { record: "token" } {
  const { tenant, id, name, kind, acts_for, acts_as, role, expires_at, revoked_at, revoked_by, version } =
    row;
  const whom = { kind, acts_for, acts_as, role };
  const ends = { expires_at, revoked_at, revoked_by };
  return { record: "token", tenant, id, hash: row.hash.toString("hex"), name, ...whom, ...ends, version };
}
