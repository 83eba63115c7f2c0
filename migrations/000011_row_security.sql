-- Row-level security on every table that has a tenant, forced on its owner as well.
--
-- As cazi_app a transaction sees and writes the rows of the tenant that it set, and none where it set none; as
-- cazi_projector those of all tenants. The owner, who rebuilds and repairs, says so in `app.owner`: a login that is
-- the owner and forgot to change its role sees nothing.
--
-- A later table with a tenant is isolated by `SELECT cazi_isolate('its_name')` in its migration; a test names those
-- that are not.
-- locks: the tables exclusively, for a moment    breaking: no
CREATE FUNCTION cazi_isolate(isolated regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', isolated);
  EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', isolated);
  EXECUTE format('CREATE POLICY own_tenant ON %s TO cazi_app
    USING (tenant = NULLIF(current_setting(''app.tenant'', true), ''''))
    WITH CHECK (tenant = NULLIF(current_setting(''app.tenant'', true), ''''))', isolated);
  EXECUTE format('CREATE POLICY all_tenants ON %s TO cazi_projector USING (true) WITH CHECK (true)', isolated);
  EXECUTE format('CREATE POLICY owner_who_says_so ON %s TO %I
    USING (current_setting(''app.owner'', true) = ''on'')
    WITH CHECK (current_setting(''app.owner'', true) = ''on'')', isolated, current_user);
END
$$;
REVOKE ALL ON FUNCTION cazi_isolate(regclass) FROM PUBLIC;

-- Every table with a tenant that is there by now and is not isolated yet.
DO $$
DECLARE
  found regclass;
BEGIN
  FOR found IN
    SELECT c.oid FROM pg_class AS c
    JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attname = 'tenant' AND NOT a.attisdropped
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relforcerowsecurity
    ORDER BY c.relname
  LOOP
    PERFORM cazi_isolate(found);
  END LOOP;
END
$$;

CREATE POLICY copied_to_kv ON tenants TO cazi_people USING (true) WITH CHECK (true);
CREATE POLICY copied_to_kv ON users TO cazi_people USING (true) WITH CHECK (true);
CREATE POLICY copied_to_kv ON tokens TO cazi_people USING (true) WITH CHECK (true);

-- Beside a policy an index is only searched by what is marked as leaking nothing, and of what lists select by, only
-- containment of labels is not marked so. It tells nothing of rows that it does not give, so it is marked where this
-- login may (a superuser, as the embedded one is). Elsewhere a list by label reads the tenant's tasks from the newest
-- on, until somebody who may runs this one statement; docs/tenants.md says so.
DO $$
BEGIN
  ALTER FUNCTION pg_catalog.jsonb_contains(jsonb, jsonb) LEAKPROOF;
EXCEPTION WHEN insufficient_privilege THEN
  RAISE NOTICE 'lists by label are not read from their index';
END
$$;
