import { token } from "../../../streams/subjects.ts";
import { invariant } from "../errors.ts";
import { asDatabaseError } from "./databaseError.ts";
import type { DatabaseClient, DatabasePool } from "./openPool.ts";

/**
 * In whose name a transaction runs: the API for one tenant, the projector for all, or the copy of who is who for all.
 * None of these roles owns anything; what they may do is written out in `migrations/`.
 */
export type DatabaseAccess =
  | { readonly role: "app"; readonly tenant: string }
  | { readonly role: "projector" | "people"; readonly tenant: null };

/** A statement's way in; only what {@link DatabaseClient} promises inside a transaction. */
export type Queryable = Pick<DatabaseClient, "query">;

/**
 * INV-TENANT: every query of a service goes through here or through {@link queryInTenant}. Runs `fn` in a
 * transaction under the role and tenant, commits, and rolls back when it rejects. `fn` awaits nothing but SQL.
 * @throws Retryable `DATABASE_UNAVAILABLE`; Rejection `NAME_INVALID` for an impossible tenant
 */
export async function inTenant<T>(
  pool: DatabasePool,
  access: DatabaseAccess,
  fn: (client: Queryable) => Promise<T>,
): Promise<T> {
  return await transact(pool, opening(access), fn);
}

/**
 * The same for a single statement, in one flight: opening, statement and commit are sent together. A failed
 * statement turns the commit into a rollback, and a failed opening fails the statement.
 */
export async function queryInTenant<R extends object>(
  pool: DatabasePool,
  access: DatabaseAccess,
  text: string,
  values: readonly unknown[],
): Promise<readonly R[]> {
  const open = opening(access);
  return await withClient(pool, async (client) => {
    const flight = [client.query(open), client.query<R>(text, values), client.query("COMMIT")] as const;
    // All three have to be back before the connection is anybody else's.
    await Promise.allSettled(flight);
    await flight[0];
    const result = await flight[1];
    await flight[2];
    return result.rows;
  });
}

/**
 * Runs `fn` in a transaction as the login that owns the tables: for migrations and rebuilds, which change the
 * tables themselves, and for nothing else.
 * @throws Retryable `DATABASE_UNAVAILABLE`
 */
export function asOwner<T>(pool: DatabasePool, fn: (client: Queryable) => Promise<T>): Promise<T> {
  // Row-level security is forced on the owner too: it sees rows only where it says that it is at its own work.
  return transact(pool, "BEGIN; SET LOCAL app.owner = 'on'", fn);
}

/** The tenant is a validated name, so that all three settings fit in one statement without parameters. */
function opening(access: DatabaseAccess): string {
  const tenant = access.tenant === null ? "" : token(access.tenant);
  const plan = access.role === "projector" ? BY_INDEX : "";
  return `BEGIN; SET LOCAL ROLE cazi_${access.role}; SET LOCAL app.tenant = '${tenant}'${plan}`;
}

/**
 * The projector joins some hundred rows with `tasks` by key, all in the cache. Up to some ten thousand tasks the
 * planner would read the whole table for it, as if each row cost a disk access: a tenth more time an event, and
 * growing with the table.
 */
const BY_INDEX = "; SET LOCAL enable_seqscan = off";

async function transact<T>(
  pool: DatabasePool,
  open: string,
  fn: (client: Queryable) => Promise<T>,
): Promise<T> {
  return withClient(pool, async (client) => {
    await client.query(open);
    const result = await fn(client);
    const { command } = (await client.query("COMMIT")) as unknown as { command?: string };
    invariant(command === "COMMIT", "a statement failed and its error was swallowed: nothing was committed");
    return result;
  });
}

async function withClient<T>(pool: DatabasePool, fn: (client: DatabaseClient) => Promise<T>): Promise<T> {
  const client = await connect(pool);
  try {
    const result = await fn(client);
    client.release();
    return result;
  } catch (error) {
    const usable = await client.query("ROLLBACK").then(
      () => true,
      () => false,
    );
    client.release(!usable);
    throw asDatabaseError(error);
  }
}

async function connect(pool: DatabasePool): Promise<DatabaseClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw asDatabaseError(error);
  }
}
