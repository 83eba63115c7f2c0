/** Whether one tenant is kept from another by the database itself. Reads only. */
import type { Queryable } from "./transaction.ts";

export interface RowSecurity {
  /** Tables with a tenant. */
  readonly tables: number;
  /** What is open, a sentence each; empty where nothing is. */
  readonly faults: readonly string[];
  /** The login is a superuser, or passes row security by: it sees all rows before it changes its role. */
  readonly loginPasses: boolean;
}

/** Tables with a tenant, each with what it lacks, "" for nothing. */
const tablesSql = `
SELECT c.oid::regclass::text AS name, concat_ws('; ',
  CASE WHEN NOT c.relrowsecurity THEN 'row security is off' END,
  CASE WHEN NOT c.relforcerowsecurity THEN 'row security is not forced on its owner' END,
  CASE WHEN NOT EXISTS (SELECT FROM pg_policy WHERE polrelid = c.oid AND polname = 'own_tenant' AND polcmd = '*'
    AND pg_get_expr(polqual, polrelid) = $1 AND pg_get_expr(polwithcheck, polrelid) = $1)
    THEN 'it has no policy that holds cazi_app to its tenant' END,
  CASE WHEN NOT EXISTS (SELECT FROM pg_policy WHERE polrelid = c.oid AND polname = 'all_tenants')
    THEN 'it has no policy for cazi_projector' END,
  (SELECT 'the policies ' || string_agg(polname, ', ' ORDER BY polname) || ' open it to cazi_app'
    FROM pg_policy WHERE polrelid = c.oid AND polname <> 'own_tenant' AND polpermissive
    AND (0 = ANY (polroles) OR 'cazi_app'::regrole = ANY (polroles)) HAVING count(*) > 0),
  CASE WHEN has_table_privilege('cazi_app', c.oid, 'TRUNCATE') THEN 'cazi_app may truncate it' END) AS lacks
FROM pg_class AS c
JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attname = 'tenant' AND NOT a.attisdropped
WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
ORDER BY c.relname`;

const OWN_TENANT = "(tenant = NULLIF(current_setting('app.tenant'::text, true), ''::text))";

/** What the roles are that services work under, and what would let them past the policies. */
const rolesSql = `
SELECT r.rolname || ': ' || concat_ws('; ',
  CASE WHEN r.rolsuper OR r.rolbypassrls THEN 'it passes row security by' END,
  CASE WHEN r.rolcanlogin THEN 'it can log in' END,
  (SELECT 'it owns ' || string_agg(c.oid::regclass::text, ', ') FROM pg_class AS c WHERE c.relowner = r.oid
    HAVING count(*) > 0),
  (SELECT 'it is a member of ' || string_agg(m.roleid::regrole::text, ', ') FROM pg_auth_members AS m
    WHERE m.member = r.oid HAVING count(*) > 0)) AS fault
FROM pg_roles AS r WHERE r.rolname IN ('cazi_app', 'cazi_projector', 'cazi_people')
AND (r.rolsuper OR r.rolbypassrls OR r.rolcanlogin OR EXISTS (SELECT FROM pg_class WHERE relowner = r.oid)
  OR EXISTS (SELECT FROM pg_auth_members WHERE member = r.oid))
UNION ALL
SELECT c.oid::regclass::text || ': a view shows cazi_app what its owner sees' FROM pg_class AS c
WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('v', 'm') AND has_table_privilege('cazi_app', c.oid, 'SELECT')
UNION ALL
SELECT p.oid::regprocedure::text || ': a function does for cazi_app what its owner may' FROM pg_proc AS p
WHERE p.pronamespace = 'public'::regnamespace AND p.prosecdef AND has_function_privilege('cazi_app', p.oid, 'EXECUTE')`;

const loginSql = "SELECT rolsuper OR rolbypassrls AS passes FROM pg_roles WHERE rolname = session_user";

/**
 * Looks at tables, policies and roles, and then tries it: as `cazi_app` without a tenant there must be no row.
 * @param client in a transaction of the owner; it has the role `cazi_app` afterwards
 */
export async function lookAtRowSecurity(client: Queryable): Promise<RowSecurity> {
  const tables = (await client.query<{ name: string; lacks: string }>(tablesSql, [OWN_TENANT])).rows;
  const roles = (await client.query<{ fault: string }>(rolesSql)).rows;
  const login = (await client.query<{ passes: boolean }>(loginSql)).rows;
  const lacking = tables.filter(({ lacks }) => lacks !== "").map(({ name, lacks }) => `${name}: ${lacks}`);
  const seen = await seenWithoutTenant(
    client,
    tables.map(({ name }) => name),
  );
  return {
    tables: tables.length,
    faults: [
      ...lacking,
      ...roles.map(({ fault }) => fault),
      ...seen.map((name) => `${name}: shows rows to cazi_app without a tenant`),
    ],
    loginPasses: login[0]?.passes ?? false,
  };
}

/** Tables of which cazi_app sees a row though it has set no tenant. Their names come quoted from the catalog. */
async function seenWithoutTenant(client: Queryable, tables: readonly string[]): Promise<readonly string[]> {
  await client.query("SET LOCAL app.owner = 'off'; SET LOCAL app.tenant = ''; SET LOCAL ROLE cazi_app");
  const seen: string[] = [];
  for (const table of tables) {
    const asked = await client.query<{ may: boolean }>("SELECT has_table_privilege($1, 'SELECT') AS may", [
      table,
    ]);
    if (asked.rows[0]?.may !== true) continue;
    const { rows } = await client.query<{ shows: boolean }>(`SELECT EXISTS (SELECT FROM ${table}) AS shows`);
    if (rows[0]?.shows === true) seen.push(table);
  }
  return seen;
}
