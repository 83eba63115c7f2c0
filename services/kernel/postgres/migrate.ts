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
    const before = names[index - 1]?.slice(0, 6) ?? "000000";
    invariant(name.slice(0, 6) > before, `${name} breaks the numbering of the migrations`);
    const sql = readFileSync(join(folder, name), "utf8");
    const sha256 = createHash("sha256").update(sql).digest("hex");
    return { name: name.slice(0, -".sql".length), sql, sha256 };
  });
}

/**
 * Brings the database up to this version. Each migration is a transaction of its own: on the embedded server, which
 * bounds the length of one, a slow machine then gets on by one at a time. Safe to run from many processes at once
 * and again and again.
 * @returns the names of what was applied now
 * @throws Rejection as `planMigrations`; Retryable `DATABASE_UNAVAILABLE`: call again, what is done stays done
 */
export async function migrate(
  pool: DatabasePool,
  files: readonly Migration[] = readMigrations(),
): Promise<readonly string[]> {
  const applied: string[] = [];
  for (;;) {
    const name = await asOwner(pool, (client) => applyNext(client, files));
    if (name === null) return applied;
    applied.push(name);
  }
}

/** @returns the name of the migration applied, or null when none was missing */
async function applyNext(client: Queryable, files: readonly Migration[]): Promise<string | null> {
  // Held to the end of the transaction. On the embedded server, a single session, transactions queue anyway.
  await client.query("SELECT pg_advisory_xact_lock($1)", [LOCK]);
  const [next] = planMigrations(files, await listApplied(client));
  if (next === undefined) return null;
  await client.query(next.sql);
  await client.query("INSERT INTO schema_migrations (name, sha256) VALUES ($1, $2)", [
    next.name,
    next.sha256,
  ]);
  return next.name;
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
