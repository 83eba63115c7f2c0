import { arrayLiteral } from "../kernel/postgres/arrayLiteral.ts";
import { attemptColumns } from "./attemptRow.ts";
import type { Projection } from "./project.ts";
import { intentColumns, stateColumns } from "./taskRow.ts";
import { taskColumns } from "./taskTables.ts";

type Columns = Readonly<Record<string, string>>;

/**
 * Arrays of one parameter a column, unnested: the parse cost is per statement, not per row.
 * @param first number of the first parameter
 */
export function unnest(columns: Columns, first: number): string {
  return `unnest(${Object.values(columns)
    .map((type, index) => `$${first + index}::${type}[]`)
    .join(", ")}) AS row (${Object.keys(columns).join(", ")})`;
}

/** The parameters of {@link unnest}: one array a column. */
export function arraysOf<C extends Columns>(
  columns: C,
  rows: readonly Readonly<Record<keyof C, string | number | boolean | null>>[],
): string[] {
  return Object.keys(columns).map((name) => arrayLiteral(rows.map((row) => row[name as keyof C])));
}

const createdColumns = { ...stateColumns, ...intentColumns };
const createdNames = Object.keys(createdColumns).join(", ");
const keyColumns = { tenant: "text", id: "text" } as const;
/** Times stay until another attempt begins; a batch tells those that it has the events of. */
const times: Readonly<Record<string, string>> = {
  scheduled_at: "coalesce(row.scheduled_at, task.scheduled_at)",
  claimed_at: `CASE WHEN row.scheduled_at IS NULL THEN coalesce(row.claimed_at, task.claimed_at) ELSE row.claimed_at END`,
};
const assignments = Object.keys(stateColumns)
  .filter((name) => !(name in keyColumns))
  .map((name) => `${name} = ${times[name] ?? `row.${name}`}`)
  .join(", ");
/** What an earlier batch told of an attempt is in its task's row, as it was before this statement. */
const attemptValues = Object.keys(attemptColumns)
  .map((name) =>
    name === "node" || name === "scheduled_at" || name === "claimed_at"
      ? `coalesce(row.${name}, task.${name})`
      : `row.${name}`,
  )
  .join(", ");

const CREATED = 1;
const CHANGED = CREATED + Object.keys(createdColumns).length;
const ATTEMPTS = CHANGED + Object.keys(stateColumns).length;
const ERASED = ATTEMPTS + Object.keys(attemptColumns).length;
/** Number of the first parameter that {@link taskParts} does not use. */
export const afterTaskParts = ERASED + Object.keys(keyColumns).length;

/** The erased tasks of a batch, as `row (tenant, id)`. */
export const erasedRows = unnest(keyColumns, ERASED);

const erasedParts = Object.entries(taskColumns)
  .map(
    ([table, column]) => `
erased_${table} AS (
  DELETE FROM ${table} AS gone USING moved, ${erasedRows} WHERE gone.tenant = row.tenant AND gone.${column} = row.id
)`,
  )
  .join(",");

/**
 * Parts of a WITH that bring `tasks` and `attempts` up to date. Each reads `moved`, which has one row when the batch may be
 * written and none otherwise.
 *
 * A row that is over changes no more but for what keeps its status: an event that builds on a second end
 * (INV-ONE-END) changes nothing, whatever batch it comes in.
 */
export const taskParts = `
created AS (
  INSERT INTO tasks (${createdNames})
  SELECT ${createdNames} FROM moved, ${unnest(createdColumns, CREATED)}
),
changed AS (
  UPDATE tasks AS task SET ${assignments}
  FROM moved, ${unnest(stateColumns, CHANGED)}
  WHERE task.tenant = row.tenant AND task.id = row.id AND task.seq < row.seq
    AND (task.finished_at IS NULL OR task.status = row.status)
),
attempted AS (
  INSERT INTO attempts (${Object.keys(attemptColumns).join(", ")})
  SELECT ${attemptValues} FROM moved, ${unnest(attemptColumns, ATTEMPTS)}
    LEFT JOIN tasks AS task ON task.tenant = row.tenant AND task.id = row.task AND task.attempt = row.attempt
  WHERE NOT EXISTS (
    SELECT FROM tasks AS over WHERE over.tenant = row.tenant AND over.id = row.task AND over.finished_at IS NOT NULL
  )
  ON CONFLICT (tenant, task, attempt) DO NOTHING
),${erasedParts}`;

/** The parameters of {@link taskParts}. */
export function taskValues(projection: Projection): string[] {
  return [
    ...arraysOf(createdColumns, projection.created),
    ...arraysOf(stateColumns, projection.changed),
    ...arraysOf(attemptColumns, projection.attempts),
    ...arraysOf(keyColumns, projection.erased),
  ];
}
