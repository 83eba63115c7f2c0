import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type PostgresKind, withPostgres } from "../../../test/support/withPostgres.ts";
import { rebuildProjections } from "../../projector/rebuildProjections.ts";
import { createLog } from "../log.ts";
import { migrate } from "./migrate.ts";
import { type DatabasePool, openPool } from "./openPool.ts";
import { lookAtRowSecurity } from "./rowSecurity.ts";
import { asOwner, inTenant, queryInTenant } from "./transaction.ts";

const log = createLog("silent", "test");
const acme = { role: "app", tenant: "acme" } as const;
const other = { role: "app", tenant: "other" } as const;
const projector = { role: "projector", tenant: null } as const;
const people = { role: "people", tenant: null } as const;

const insertTenant = `INSERT INTO tenants (tenant, created_at, created_by, creation, request_hash)
VALUES ($1, 0, 'test', $1, '')`;
const insertUser = `INSERT INTO users (tenant, name, role, created_at, created_by, creation, request_hash)
VALUES ($1, 'ada', 'admin', 0, 'test', $1 || random(), '')`;

describe.each<PostgresKind>(["native", "embedded"])("row-level security, %s Postgres", (kind) => {
  const server = withPostgres(kind);
  let pool: DatabasePool;
  beforeAll(async () => {
    pool = openPool({ url: server.url, size: kind === "native" ? 3 : 1, log });
    await migrate(pool);
    for (const access of [acme, other]) {
      await queryInTenant(pool, access, insertTenant, [access.tenant]);
      await queryInTenant(pool, access, insertUser, [access.tenant]);
    }
  });
  afterAll(() => pool.end());

  it("is forced, with a policy for each role, on every table that has a tenant", async () => {
    const { tables, faults } = await asOwner(pool, lookAtRowSecurity);
    expect(tables).toBeGreaterThan(5);
    // A table named here: `SELECT cazi_isolate('its_name')` belongs into the migration that makes it.
    expect(faults).toEqual([]);
  });

  it.each([
    ["ALTER TABLE users NO FORCE ROW LEVEL SECURITY", "users: row security is not forced on its owner"],
    ["ALTER TABLE users DISABLE ROW LEVEL SECURITY", "users: row security is off"],
    ["DROP POLICY own_tenant ON tasks", "tasks: it has no policy that holds cazi_app to its tenant"],
    [
      "ALTER POLICY own_tenant ON tokens USING (true)",
      "tokens: it has no policy that holds cazi_app to its tenant",
    ],
    ["CREATE POLICY open ON users USING (true)", "users: the policies open open it to cazi_app"],
    ["CREATE TABLE later (tenant text); GRANT SELECT ON later TO cazi_app", "later: row security is off"],
    ["GRANT TRUNCATE ON tasks TO cazi_app", "tasks: cazi_app may truncate it"],
    ["ALTER ROLE cazi_app BYPASSRLS", "cazi_app: it passes row security by"],
    ["ALTER ROLE cazi_projector LOGIN", "cazi_projector: it can log in"],
    ["GRANT cazi_people TO cazi_app", "cazi_app: it is a member of cazi_people"],
    ["ALTER TABLE tasks OWNER TO cazi_app", "cazi_app: it owns tasks"],
    [
      "CREATE VIEW all_users AS SELECT * FROM users; GRANT SELECT ON all_users TO cazi_app",
      "all_users: a view shows cazi_app what its owner sees",
    ],
    [
      "CREATE FUNCTION as_owner() RETURNS int LANGUAGE sql SECURITY DEFINER AS 'SELECT 1'",
      "as_owner(): a function does for cazi_app what its owner may",
    ],
  ])("is looked at: %s", async (breaking, fault) => {
    const found: string[] = [];
    const undone = asOwner(pool, async (client) => {
      await client.query(breaking);
      found.push(...(await lookAtRowSecurity(client)).faults);
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    expect(found.join("\n")).toContain(fault);
    // And what is open is seen to be: both tenants have a user.
    const isSeen = /BYPASSRLS|DISABLE|POLICY open|GRANT cazi_people/.test(breaking);
    expect(found.includes("users: shows rows to cazi_app without a tenant")).toBe(isSeen);
  });

  it("shows a transaction the rows of its tenant, and none where no tenant is set", async () => {
    const select = "SELECT tenant FROM users";
    expect(await queryInTenant(pool, acme, select, [])).toEqual([{ tenant: "acme" }]);
    expect(await queryInTenant(pool, other, select, [])).toEqual([{ tenant: "other" }]);
    const unset = asOwner(pool, async (client) => {
      await client.query("SET LOCAL ROLE cazi_app");
      const never = (await client.query(select)).rows;
      await client.query("SET LOCAL app.tenant = ''");
      return [...never, ...(await client.query(select)).rows];
    });
    expect(await unset).toEqual([]);
    expect(await queryInTenant(pool, people, select, [])).toHaveLength(2);
  });

  it("refuses a row for another tenant, and changes none of another's", async () => {
    await expect(queryInTenant(pool, acme, insertUser, ["other"])).rejects.toMatchObject({ code: "42501" });
    const moved = queryInTenant(pool, acme, "UPDATE users SET tenant = 'other' WHERE name = 'ada'", []);
    await expect(moved).rejects.toMatchObject({ code: "42501" });
    const changed = await queryInTenant(pool, acme, "UPDATE users SET role = 'viewer' RETURNING tenant", []);
    expect(changed).toEqual([{ tenant: "acme" }]);
    expect(await queryInTenant(pool, other, "SELECT role FROM users", [])).toEqual([{ role: "admin" }]);
  });

  it("keeps what tokens hash to from the projector, and tasks from the copy of who is who", async () => {
    for (const [access, table] of [
      [projector, "tokens"],
      [people, "tasks"],
      [people, "ledger_events"],
    ] as const) {
      const asked = queryInTenant(pool, access, `SELECT FROM ${table}`, []);
      await expect(asked).rejects.toMatchObject({ code: "42501" });
    }
  });

  it("is the same after a rebuild of the projections", async () => {
    const policies = `SELECT relname, relrowsecurity, relforcerowsecurity, polname, polroles::regrole[]::text AS roles,
      pg_get_expr(polqual, polrelid) AS shown, pg_get_expr(polwithcheck, polrelid) AS written
      FROM pg_policy JOIN pg_class AS c ON c.oid = polrelid WHERE relname = 'tasks' ORDER BY polname`;
    const before = await queryInTenant(pool, acme, policies, []);
    expect(before.length).toBeGreaterThan(2);
    await rebuildProjections(pool);
    expect(await queryInTenant(pool, acme, policies, [])).toEqual(before);
  });

  it.runIf(kind === "native")(
    "lets an owner that is no superuser migrate and rebuild, and shows it nothing where it forgets to say in whose name",
    async () => {
      await asOwner(pool, (client) => client.query("CREATE ROLE keeper LOGIN NOINHERIT CREATEROLE"));
      const url = await server.createDatabase("kept");
      const root = openPool({ url, size: 1, log });
      await asOwner(root, (client) =>
        client.query("ALTER DATABASE kept OWNER TO keeper; ALTER SCHEMA public OWNER TO keeper"),
      );
      await root.end();
      const kept = openPool({ url: url.replace("//postgres@", "//keeper@"), size: 1, log });
      await migrate(kept);
      const insertEvent = `INSERT INTO ledger_events
      (tenant, kind, aggregate, type, shard, epoch, seq, subject, event_id, at, raw)
      VALUES ('acme', 'task', 't', 'erased', 0, 'e', 1, 's', 'e1', 0, '\\x00')`;
      await queryInTenant(kept, projector, insertEvent, []);
      const count = "SELECT count(*)::int AS rows FROM ledger_events";
      expect(await asOwner(kept, async (client) => (await client.query(count)).rows)).toEqual([{ rows: 1 }]);
      const forgotten = await inTenant(kept, acme, async (client) => {
        await client.query("RESET ROLE");
        return (await client.query(count)).rows;
      });
      expect(forgotten).toEqual([{ rows: 0 }]);
      await asOwner(kept, (client) => client.query("DELETE FROM ledger_events"));
      expect(await rebuildProjections(kept)).toEqual({ events: 0 });
      await kept.end();
    },
  );
});
