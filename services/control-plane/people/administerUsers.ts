import type { ChangeUser, CreateUser, User } from "../../../schemas/api/people.ts";
import { toTimestamp, toTimestampOrNull } from "../../../schemas/api/timestamp.ts";
import { Rejection } from "../../kernel/errors.ts";
import { sqlState } from "../../kernel/postgres/databaseError.ts";
import type { Queryable } from "../../kernel/postgres/transaction.ts";
import { fromCursor } from "../reads/keyset.ts";
import { keyReused, pageOf, requestHash, tenantNotFound } from "./administerTenants.ts";
import type { CreatingBy, Made, PageAsked, People } from "./people.ts";
import { findRow, inPeople, insertOnce, type UserRow, updateRow, userRecordOf } from "./peopleStore.ts";
import type { PeopleParts } from "./startPeople.ts";

type Users = Pick<People, "listUsers" | "getUser" | "createUser" | "changeUser" | "removeUser">;

const listSql = "SELECT * FROM users WHERE name > $1 ORDER BY name LIMIT $2";
const UNIQUE_VIOLATION = "23505";

/** What a tenant's admins do with its users. */
export function administerUsers({ pool, clock, publish }: PeopleParts): Users {
  const getUser = async (tenant: string, name: string) => {
    const row = await inPeople(pool, tenant, (client) => findRow(client, "users", { tenant, name }));
    if (row === null) throw userNotFound();
    return show(row);
  };
  const update = async (tenant: string, name: string, set: Readonly<Record<string, unknown>>) => {
    const row = await inPeople(pool, tenant, (client) =>
      Object.keys(set).length === 0
        ? findRow(client, "users", { tenant, name })
        : updateRow(client, "users", { where: { tenant, name }, set }),
    ).catch((error) => {
      throw sqlState(error) === UNIQUE_VIOLATION ? userExists() : error;
    });
    if (row === null) throw userNotFound();
    await publish(userRecordOf(row));
    return show(row);
  };

  return {
    getUser,
    listUsers: async (tenant: string, { limit, cursor }: PageAsked) => {
      const after = cursor === undefined ? "" : fromCursor(cursor, ["string", "string"])[0];
      const rows = await inPeople(pool, tenant, async (client) => {
        await requireTenant(client, tenant);
        return (await client.query<UserRow>(listSql, [after, limit + 1])).rows;
      });
      return pageOf(rows, limit, show, (row) => [row.name, ""]);
    },
    createUser: async (tenant: string, wanted: CreateUser, by: CreatingBy): Promise<Made<User>> => {
      const { actor: created_by, creation } = by;
      const request_hash = requestHash(wanted);
      const made = await inPeople(pool, tenant, async (client) => {
        await requireTenant(client, tenant);
        const created = { created_at: clock.now(), created_by, creation, request_hash };
        return insertOnce(client, "users", { tenant, ...wanted, ...created });
      });
      if (made === null) throw userExists();
      if (made.row.request_hash !== request_hash) throw keyReused();
      await publish(userRecordOf(made.row));
      return { value: show(made.row), repeated: made.repeated };
    },
    changeUser: (tenant, name, { removed, ...change }: ChangeUser) => {
      const given = Object.entries(change).filter(([, value]) => value !== undefined);
      const back = removed === undefined ? [] : [["removed_at", null] as const];
      return update(tenant, name, Object.fromEntries([...given, ...back]));
    },
    removeUser: async (tenant, name) => {
      const there = await getUser(tenant, name);
      return there.removed_at !== null ? there : await update(tenant, name, { removed_at: clock.now() });
    },
  };
}

/** @throws Rejection `TENANT_NOT_FOUND` also for one that was removed */
export async function requireTenant(client: Queryable, tenant: string): Promise<void> {
  const row = await findRow(client, "tenants", { tenant });
  if (row === null || row.removed_at !== null) throw tenantNotFound();
}

function show(row: UserRow): User {
  const { name, tenant, display_name, role, login, created_by } = row;
  const times = { created_at: toTimestamp(row.created_at), removed_at: toTimestampOrNull(row.removed_at) };
  return { name, tenant, display_name, role, login, created_by, ...times };
}

export function userNotFound(): Rejection {
  return new Rejection("USER_NOT_FOUND", "There is no such user in the tenant.");
}

function userExists(): Rejection {
  return new Rejection("USER_EXISTS", "There is a user of this name or login in the tenant already.");
}
