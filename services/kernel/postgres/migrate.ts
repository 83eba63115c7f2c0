import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { invariant } from "../errors.ts";
import { projectRoot } from "../projectRoot.ts";
import type { DatabasePool } from "./openPool.ts";
import { type AppliedMigration, type Migration, planMigrations } from "./planMigrations.ts";
import { asOwner, type Queryable } from "./transaction.ts";

const FILE_PATTERN = /^\d{6}_[a-z0-9_]+\.sql$/;
/** Any number that nothing else locks. */
const LOCK = 7_267_194;

/** The files of `folder` in order. */
export function readMigrations(folder = join(projectRoot, "migrations")): readonly Migration[] {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith(".sql"))
    .sort();
  return names.map((name, index) => {
    invariant(FILE_PATTERN.test(name), `${name} is not a migration's name: NNNNNN_name.sql`);
    invariant(Number(name.slice(0, 6)) === index + 1, `${name} breaks the numbering of the migrations`);
    const sql = readFileSync(join(folder, name), "utf8");
    const sha256 = createHash("sha256").update(sql).digest("hex");
    return { name: name.slice(0, -".sql".length), sql, sha256 };
  });
}

/**
 * Brings the database up to this version: all pending migrations in one transaction, or none. Safe to run from
 * many processes at once and again and again.
 * @returns the names of what was applied now
 * @throws Rejection as `planMigrations`; Retryable `DATABASE_UNAVAILABLE`
 */
export function migrate(
  pool: DatabasePool,
  files: readonly Migration[] = readMigrations(),
): Promise<readonly string[]> {
  return asOwner(pool, async (client) => {
    // Held to the end of the transaction. On the embedded server, a single session, transactions queue anyway.
    await client.query("SELECT pg_advisory_xact_lock($1)", [LOCK]);
    const pending = planMigrations(files, await listApplied(client));
    for (const file of pending) {
      await client.query(file.sql);
      await client.query("INSERT INTO schema_migrations (name, sha256) VALUES ($1, $2)", [
        file.name,
        file.sha256,
      ]);
    }
    return pending.map((file) => file.name);
  });
}

async function listApplied(client: Queryable): Promise<readonly AppliedMigration[]> {
  const { rows } = await client.query<{ exists: boolean }>(
    "SELECT to_regclass('schema_migrations') IS NOT NULL AS exists",
  );
  if (!rows[0]!.exists) return [];
  return (
    await client.query<{ name: string; sha256: string }>(
      "SELECT name, sha256 FROM schema_migrations ORDER BY name",
    )
  ).rows;
}
