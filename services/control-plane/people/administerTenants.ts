import { createHash } from "node:crypto";
import type { ChangeTenant, CreateTenant, Tenant } from "../../../schemas/api/people.ts";
import { toTimestamp, toTimestampOrNull } from "../../../schemas/api/timestamp.ts";
import { canonicalJson } from "../../kernel/canonicalJson.ts";
import { Rejection } from "../../kernel/errors.ts";
import { fromCursor, toCursor } from "../reads/keyset.ts";
import type { CreatingBy, Made, PageAsked, People } from "./people.ts";
import {
  findRow,
  inPeople,
  insertOnce,
  readTenants,
  type TenantRow,
  tenantRecordOf,
  updateRow,
} from "./peopleStore.ts";
import type { PeopleParts } from "./startPeople.ts";
import { type LimitDefaults, limitsInForce } from "./tenantLimits.ts";

type Tenants = Pick<People, "listTenants" | "getTenant" | "createTenant" | "changeTenant" | "removeTenant">;

/** What the installation's admins do with tenants. */
export function administerTenants(parts: PeopleParts): Tenants {
  const { pool, config, clock, publish } = parts;
  const show = (row: TenantRow) => shown(row, config);
  const update = async (name: string, set: Readonly<Record<string, unknown>>) => {
    const row = await inPeople(pool, name, (client) =>
      Object.keys(set).length === 0
        ? findRow(client, "tenants", { tenant: name })
        : updateRow(client, "tenants", { where: { tenant: name }, set }),
    );
    if (row === null) throw tenantNotFound();
    await publish(tenantRecordOf(row));
    return show(row);
  };
  const getTenant = async (name: string) => {
    const row = await inPeople(pool, name, (client) => findRow(client, "tenants", { tenant: name }));
    if (row === null) throw tenantNotFound();
    return show(row);
  };

  return {
    getTenant,
    listTenants: async ({ limit, cursor }: PageAsked) => {
      const after = cursor === undefined ? "" : fromCursor(cursor, ["string", "string"])[0];
      return pageOf(await readTenants(pool, { after, limit: limit + 1 }), limit, show, (row) => [
        row.tenant,
        "",
      ]);
    },
    createTenant: async (wanted: CreateTenant, by: CreatingBy): Promise<Made<Tenant>> => {
      const { name, display_name, limits } = wanted;
      const request_hash = requestHash(wanted);
      const { actor: created_by, creation } = by;
      const made = await inPeople(pool, name, (client) =>
        insertOnce(client, "tenants", {
          ...{ tenant: name, display_name, ...limits },
          ...{ created_at: clock.now(), created_by, creation, request_hash },
        }),
      );
      if (made === null) {
        const there = await inPeople(pool, name, (client) => findRow(client, "tenants", { tenant: name }));
        throw there === null ? keyReused() : tenantExists(name);
      }
      if (made.row.request_hash !== request_hash) throw keyReused();
      await publish(tenantRecordOf(made.row));
      return { value: show(made.row), repeated: made.repeated };
    },
    changeTenant: (name, { display_name, limits, removed }: ChangeTenant) =>
      update(name, {
        ...(display_name === undefined ? {} : { display_name }),
        ...(removed === undefined ? {} : { removed_at: null }),
        ...limits,
      }),
    removeTenant: async (name) => {
      if (name === config.tenant) {
        throw new Rejection("TENANT_IS_HOME", `The installation is administered from the tenant ${name}.`);
      }
      const there = await getTenant(name);
      return there.removed_at !== null ? there : await update(name, { removed_at: clock.now() });
    },
  };
}

function shown(row: TenantRow, defaults: LimitDefaults): Tenant {
  return {
    name: row.tenant,
    display_name: row.display_name,
    limits: {
      pending_max: row.pending_max,
      submits_per_minute: row.submits_per_minute,
      follows_max: row.follows_max,
      stored_bytes_max: row.stored_bytes_max,
    },
    limits_in_force: { ...limitsInForce(row, defaults) },
    created_at: toTimestamp(row.created_at),
    created_by: row.created_by,
    removed_at: toTimestampOrNull(row.removed_at),
  };
}

/** One more row than asked tells whether there is a next page. */
export function pageOf<Row, T>(
  rows: readonly Row[],
  limit: number,
  show: (row: Row) => T,
  key: (row: Row) => readonly [string | number, string],
) {
  const data = rows.slice(0, limit);
  const last = data.at(-1);
  const more = rows.length > limit && last !== undefined;
  return { data: data.map(show), next_cursor: more ? toCursor(...key(last)) : null };
}

/** Tells a repeat of a creating request from a misuse of its key. */
export function requestHash(wanted: object): string {
  // Through JSON, so that a member that was not given is not one.
  const text = canonicalJson(JSON.parse(JSON.stringify(wanted)));
  return createHash("sha256").update(text).digest("hex");
}

export function keyReused(): Rejection {
  return new Rejection("IDEMPOTENCY_KEY_REUSED", "This Idempotency-Key was used for another request.", {
    hint: "Use a new key for something new, or send exactly the request that the key was first used for.",
  });
}

/** In the same words for one that is not there and for one that the caller may not know of. */
export function tenantNotFound(): Rejection {
  return new Rejection("TENANT_NOT_FOUND", "There is no such tenant.");
}

function tenantExists(name: string): Rejection {
  return new Rejection("TENANT_EXISTS", `There is a tenant ${name} already, or there was one.`);
}
