import { Rejection } from "../errors.ts";

/** A file of `migrations/`. */
export interface Migration {
  /** `000001_name`, which is also the order. */
  readonly name: string;
  readonly sql: string;
  /** SHA-256 of the file, hex. */
  readonly sha256: string;
}

/** What a database says it has. */
export interface AppliedMigration {
  readonly name: string;
  readonly sha256: string;
}

/**
 * The migrations to apply, in order.
 * @throws Rejection `MIGRATION_EDITED` when a file differs from what was applied, `DATABASE_NEWER` when the
 * database has one that this version does not know, `MIGRATION_ORDER` when a new file sorts before an applied one
 */
export function planMigrations(
  files: readonly Migration[],
  applied: readonly AppliedMigration[],
): readonly Migration[] {
  const known = new Map(files.map((file) => [file.name, file]));
  for (const one of applied) {
    const file = known.get(one.name);
    if (file === undefined) {
      throw new Rejection(
        "DATABASE_NEWER",
        `the database has migration ${one.name}, which this version does not know`,
        {
          hint: "Run the version that made it, or a later one.",
        },
      );
    }
    if (file.sha256 !== one.sha256) {
      throw new Rejection("MIGRATION_EDITED", `migration ${one.name} was changed after it was applied`, {
        hint: "Restore the file and put the change in a new migration.",
      });
    }
  }
  const done = new Set(applied.map((one) => one.name));
  const pending = files.filter((file) => !done.has(file.name));
  const newest =
    applied
      .map((one) => one.name)
      .sort()
      .at(-1) ?? "";
  const late = pending.find((file) => file.name < newest);
  if (late !== undefined) {
    throw new Rejection(
      "MIGRATION_ORDER",
      `migration ${late.name} comes before ${newest}, which is applied`,
      {
        hint: "Give the new migration the next free number.",
      },
    );
  }
  return pending;
}
