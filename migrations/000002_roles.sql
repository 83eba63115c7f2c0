-- The two roles that services work under. They cannot log in and own nothing; every transaction begins with
-- SET LOCAL ROLE. The login that runs migrations owns the tables and is made a member, so that it may change to
-- them; a member of a login made NOINHERIT has no right of its own, so a forgotten SET ROLE fails.
--
-- Roles belong to the whole cluster: another database of it, or another process at this moment, may have made
-- them already.
-- locks: none    breaking: no
DO $$
DECLARE
  wanted text;
BEGIN
  FOREACH wanted IN ARRAY ARRAY['cazi_app', 'cazi_projector'] LOOP
    BEGIN
      EXECUTE format('CREATE ROLE %I NOLOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS', wanted);
    EXCEPTION WHEN duplicate_object OR unique_violation THEN
      NULL;
    END;
    IF NOT pg_has_role(current_user, wanted, 'MEMBER') THEN
      EXECUTE format('GRANT %I TO CURRENT_USER', wanted);
    END IF;
  END LOOP;
END
$$;

GRANT USAGE ON SCHEMA public TO cazi_app, cazi_projector;
