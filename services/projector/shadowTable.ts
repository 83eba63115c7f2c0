import { invariant } from "../kernel/errors.ts";
import type { Queryable } from "../kernel/postgres/transaction.ts";

/**
 * Makes an empty twin of `public.<table>` in another schema: columns, defaults, checks, comments, storage, keys,
 * indexes, grants, and row-level security with its policies, all under the same names, so that after a swap nothing but
 * the rows has changed. Read from
 * the catalog, so that a migration needs to say things once.
 */
export async function createShadowTable(client: Queryable, schema: string, table: string): Promise<void> {
  await refuseUncopied(client, table);
  await client.query(
    `CREATE TABLE ${schema}.${table} (LIKE public.${table} INCLUDING ALL EXCLUDING INDEXES)`,
  );
  const { rows } = await client.query<{ statement: string }>(statementsSql, [table, schema]);
  for (const { statement } of rows) await client.query(statement);
}

/** What makes the twin whole, as statements. `LIKE` copies neither storage options nor rights, and renames indexes. */
const statementsSql = `
WITH source AS (SELECT oid, relacl, relowner, reloptions, relrowsecurity, relforcerowsecurity FROM pg_class WHERE oid = ('public.' || $1)::regclass)
SELECT format('ALTER TABLE %I.%I SET (%s)', $2::text, $1::text, array_to_string(reloptions, ', ')) AS statement
FROM source WHERE reloptions IS NOT NULL
UNION ALL
SELECT format('ALTER TABLE %I.%I ADD CONSTRAINT %I %s', $2::text, $1::text, conname, pg_get_constraintdef(c.oid))
FROM pg_constraint AS c, source WHERE c.conrelid = source.oid AND contype IN ('p', 'u')
UNION ALL
SELECT replace(pg_get_indexdef(indexrelid), format(' ON public.%I ', $1::text), format(' ON %I.%I ', $2::text, $1::text))
FROM pg_index, source
WHERE indrelid = source.oid AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)
UNION ALL
SELECT format('GRANT %s ON %I.%I TO %I', privilege_type, $2::text, $1::text, grantee::regrole::text)
FROM source, aclexplode(relacl) WHERE grantee NOT IN (0, relowner)
UNION ALL
SELECT format('ALTER TABLE %I.%I %s ROW LEVEL SECURITY', $2::text, $1::text, how.way)
FROM source JOIN (VALUES ('ENABLE', true), ('FORCE', false)) AS how (way, enables)
  ON CASE WHEN how.enables THEN relrowsecurity ELSE relforcerowsecurity END
UNION ALL
SELECT format('CREATE POLICY %I ON %I.%I AS %s FOR %s TO %s%s%s', polname, $2::text, $1::text,
  CASE WHEN polpermissive THEN 'PERMISSIVE' ELSE 'RESTRICTIVE' END,
  CASE polcmd WHEN 'r' THEN 'SELECT' WHEN 'a' THEN 'INSERT' WHEN 'w' THEN 'UPDATE' WHEN 'd' THEN 'DELETE' ELSE 'ALL' END,
  (SELECT string_agg(CASE WHEN one = 0 THEN 'PUBLIC' ELSE one::regrole::text END, ', ') FROM unnest(polroles) AS one),
  ' USING (' || pg_get_expr(polqual, polrelid) || ')', ' WITH CHECK (' || pg_get_expr(polwithcheck, polrelid) || ')')
FROM pg_policy, source WHERE polrelid = source.oid`;

/** Loud where a table has what this does not copy, instead of a swap that quietly loses it. */
async function refuseUncopied(client: Queryable, table: string): Promise<void> {
  const { rows } = await client.query<{ uncopied: number }>(
    `SELECT (SELECT count(*) FROM pg_trigger WHERE tgrelid = of.oid AND NOT tgisinternal)::int
       + (SELECT count(*) FROM pg_constraint WHERE contype NOT IN ('p', 'u', 'c', 'n')
            AND (conrelid = of.oid OR confrelid = of.oid))::int AS uncopied
     FROM (SELECT ('public.' || $1)::regclass AS oid) AS of`,
    [table],
  );
  invariant(rows[0]!.uncopied === 0, `${table} has a trigger or foreign key, which a rebuild does not copy`);
}
