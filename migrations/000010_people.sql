-- Tenants, their users, and the tokens that speak for them. Written by the control plane; who is who is answered
-- from a copy in the KV bucket `tokens`, which is made from here. Times are milliseconds since 1970.
--
-- cazi_people reads all of the three tables to keep that copy whole, and nothing else of any tenant. Everything else
-- is done as cazi_app in one tenant.
-- locks: none (new role, new tables)    breaking: no
DO $$
BEGIN
  BEGIN
    CREATE ROLE cazi_people NOLOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS;
  EXCEPTION WHEN duplicate_object OR unique_violation THEN
    NULL;
  END;
  IF NOT pg_has_role(current_user, 'cazi_people', 'MEMBER') THEN
    EXECUTE 'GRANT cazi_people TO CURRENT_USER';
  END IF;
END
$$;
GRANT USAGE ON SCHEMA public TO cazi_people;

-- Grows with every change of a row below: of two states of one row the newer has the higher version.
CREATE SEQUENCE people_version;
GRANT USAGE ON SEQUENCE people_version TO cazi_app, cazi_people;

CREATE TABLE tenants (
  tenant              text    PRIMARY KEY,
  display_name        text,
  -- Limits of this tenant; null for the installation's default, 0 for none.
  pending_max         int,
  submits_per_minute  int,
  follows_max         int,
  stored_bytes_max    bigint,
  created_at          bigint  NOT NULL,
  created_by          text    NOT NULL,
  -- Its tokens are worth nothing from then on; its record stays.
  removed_at          bigint,
  -- Identity and content of the creating request, to tell a repeat from a misuse of its key.
  creation            text    NOT NULL UNIQUE,
  request_hash        text    NOT NULL,
  version             bigint  NOT NULL DEFAULT nextval('people_version'),
  CONSTRAINT limits_are_not_negative CHECK
    (pending_max >= 0 AND submits_per_minute >= 0 AND follows_max >= 0 AND stored_bytes_max >= 0)
);

CREATE TABLE users (
  tenant        text    NOT NULL REFERENCES tenants (tenant),
  name          text    NOT NULL,
  display_name  text,
  role          text    NOT NULL,
  -- What the sign-in's claim says of this person; null for one who has tokens alone.
  login         text,
  created_at    bigint  NOT NULL,
  created_by    text    NOT NULL,
  -- Neither signs in nor has tokens from then on; what was done stays on record under the name.
  removed_at    bigint,
  creation      text    NOT NULL UNIQUE,
  request_hash  text    NOT NULL,
  version       bigint  NOT NULL DEFAULT nextval('people_version'),
  CONSTRAINT users_pkey PRIMARY KEY (tenant, name),
  CONSTRAINT role_is_known CHECK (role IN ('viewer', 'operator', 'admin'))
);
CREATE UNIQUE INDEX users_login ON users (tenant, login) WHERE login IS NOT NULL AND removed_at IS NULL;

CREATE TABLE tokens (
  tenant        text    NOT NULL,
  id            text    NOT NULL,
  -- SHA-256 of the token. The token itself is shown once and stored nowhere.
  hash          bytea   NOT NULL UNIQUE,
  name          text    NOT NULL,
  -- person: the user. agent, automation: `acts_as`, for whom the user answers. first: the mark that the token of a
  -- CAZI_HOME was revoked.
  kind          text    NOT NULL,
  acts_for      text    NOT NULL,
  acts_as       text,
  role          text    NOT NULL,
  created_at    bigint  NOT NULL,
  created_by    text    NOT NULL,
  expires_at    bigint,
  revoked_at    bigint,
  revoked_by    text,
  -- Within a minute or so, and only for showing.
  last_used_at  bigint,
  creation      text    NOT NULL UNIQUE,
  request_hash  text    NOT NULL,
  version       bigint  NOT NULL DEFAULT nextval('people_version'),
  CONSTRAINT tokens_pkey PRIMARY KEY (tenant, id),
  CONSTRAINT hash_is_sha256 CHECK (octet_length(hash) = 32),
  CONSTRAINT kind_is_known CHECK (kind IN ('person', 'agent', 'automation', 'first')),
  CONSTRAINT role_is_known CHECK (role IN ('viewer', 'operator', 'admin')),
  CONSTRAINT others_than_persons_have_a_name CHECK ((acts_as IS NOT NULL) = (kind IN ('agent', 'automation'))),
  CONSTRAINT first_is_only_a_revocation CHECK (kind <> 'first' OR revoked_at IS NOT NULL)
);
CREATE INDEX tokens_newest ON tokens (tenant, created_at DESC, id DESC);

GRANT SELECT, INSERT, UPDATE ON tenants, users, tokens TO cazi_app;
GRANT SELECT ON tenants, users, tokens TO cazi_people;
GRANT INSERT ON tenants TO cazi_people;
GRANT UPDATE (revoked_at, revoked_by, last_used_at, version) ON tokens TO cazi_people;
