-- What has been applied to this database. Written by the runner in services/kernel/postgres/migrate.ts.
-- locks: none (new table)    breaking: no
CREATE TABLE schema_migrations (
  name        text PRIMARY KEY,
  sha256      text NOT NULL,
  applied_at  timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT sha256_is_hex CHECK (sha256 ~ '^[0-9a-f]{64}$')
);
